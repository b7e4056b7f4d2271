/** The manifests for Kubernetes are valid, and agree with the settings, with the image, with compose.yaml and with each other. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { Probe, Service } from 'kubernetes-types/core/v1.js'
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { operations } from 'lapidary'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { main } from '../src/api.ts'
import { readSettings, type VariableName, variableNames, variables } from '../src/settings.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const folder = join(root, 'deploy/kubernetes')

type Manifest = Deployment | Service | Ingress | NetworkPolicy | PodDisruptionBudget

const manifests = readdirSync(folder).flatMap((name) =>
  parseAllDocuments(readFileSync(join(folder, name), 'utf8'), { merge: true }).map((document) => {
    expect([name, document.errors]).toEqual([name, []])
    return document.toJS() as Manifest
  }),
)

const find = <One extends Manifest>(kind: One['kind'] & string): One => manifests.find((manifest) => manifest.kind === kind) as One
const deployment = find<Deployment>('Deployment')
const service = find<Service>('Service')
const ingress = find<Ingress>('Ingress')
const policy = find<NetworkPolicy>('NetworkPolicy')
const budget = find<PodDisruptionBudget>('PodDisruptionBudget')
const pod = deployment.spec?.template.spec
const [container] = pod?.containers ?? []
const environment = Object.fromEntries(container?.env?.map(({ name, value }) => [name, value]) ?? [])
/** What the service reads there, with its presets. */
const settings = readSettings({ ...environment, DATABASE_URL: 'postgres://service@database/service' })
const preset = (name: VariableName): number => Number(variables[name].preset)
const composeText = textOf('compose.yaml')

/** The compiler's messages about these values of the types of Kubernetes: unknown members, wrong types, missing members. By their names. */
function compile(values: Readonly<Record<string, Manifest>>): Readonly<Record<string, string>> {
  // Where the compiler finds the types.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'kubernetes-'))
  try {
    for (const [name, value] of Object.entries(values)) {
      const { apiVersion = '', kind = '' } = value
      const [group = '', version] = apiVersion === 'v1' ? ['core', 'v1'] : apiVersion.split('/')
      const module = `kubernetes-types/${group.replace('.k8s.io', '')}/${version}`
      const line = `import type { ${kind} } from '${module}'\nexport const value: ${kind} = ${JSON.stringify(value)}\n`
      writeFileSync(join(scratch, `${name}.ts`), line)
    }
    const options = { strict: true, noEmit: true, module: 'preserve', moduleResolution: 'bundler', target: 'es2022', types: [] }
    writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '--project', scratch, '--pretty', 'false'], { encoding: 'utf8' })
    const messages = stdout.split(/^(?=\S)/m)
    return Object.fromEntries(
      Object.keys(values).map((name) => [name, messages.filter((message) => message.includes(`${name}.ts(`)).join('')]),
    )
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

test('the types of Kubernetes accept each of them, and notice an unknown member, a wrong type and a missing member', () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'])
  /** `from` stands in its JSON once. */
  const spoil = (from: string, to: string): Deployment => {
    const text = JSON.stringify(deployment)
    expect(text.split(from)).toHaveLength(2)
    return JSON.parse(text.replace(from, to))
  }
  const found = compile({
    ...Object.fromEntries(manifests.map((manifest) => [manifest.kind, manifest])),
    unknown: spoil('"livenessProbe"', '"livenesProbe"'),
    wrong: spoil('"replicas":3', '"replicas":"3"'),
    missing: spoil('"maxSkew":1,', ''),
  })
  const nothing = { Deployment: '', Ingress: '', NetworkPolicy: '', PodDisruptionBudget: '', Service: '' }
  expect(found).toEqual({
    ...nothing,
    unknown: expect.stringContaining('livenesProbe"\' does not exist'),
    wrong: expect.stringContaining("Type 'string' is not assignable to type 'number'"),
    missing: expect.stringContaining("'maxSkew' is missing"),
  })
}, 60_000)

test('every environment variable is a setting of the service or of Node, with a valid value', () => {
  const known = new Set<string>([...variableNames, 'NODE_OPTIONS'])
  expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([])
  // What is secret stands nowhere.
  for (const { name, value, valueFrom } of container?.env ?? []) {
    const isSecret = name === 'DATABASE_URL' || 'isSecret' in (variables[name as VariableName] ?? {})
    expect([name, value === undefined, valueFrom?.secretKeyRef?.key]).toEqual([name, isSecret, isSecret ? name : undefined])
  }
  // A service of the namespace adds none.
  expect(pod?.enableServiceLinks).toBe(false)
})

test('the ports are those of the deployments, and each reference finds one', () => {
  const ports = {
    main: settings.ports.main,
    pagination: settings.ports.pagination,
    docs: settings.ports.docs,
    metrics: settings.metricsPort,
  }
  expect(Object.fromEntries(container?.ports?.map(({ name, containerPort }) => [name, containerPort]) ?? [])).toEqual(ports)
  expect(service.spec?.ports).toEqual(Object.entries(ports).map(([name, port]) => ({ name, port, targetPort: name })))
  const backends = ingress.spec?.rules?.flatMap(({ http }) => http?.paths.map(({ backend }) => backend.service) ?? [])
  const published = ['main', 'pagination', 'docs']
  expect(backends).toEqual(published.map((name) => ({ name: service.metadata?.name, port: { name } })))
  expect(ingress.spec?.tls?.flatMap(({ hosts }) => hosts)).toEqual(ingress.spec?.rules?.map(({ host }) => host))
  expect(policy.spec?.ingress?.map((rule) => rule.ports?.map(({ port }) => port))).toEqual([published, ['metrics']])
})

test('every selector finds the pods', () => {
  const labels = deployment.spec?.template.metadata?.labels
  for (const selector of [
    deployment.spec?.selector.matchLabels,
    service.spec?.selector,
    budget.spec?.selector?.matchLabels,
    policy.spec?.podSelector.matchLabels,
    pod?.topologySpreadConstraints?.[0]?.labelSelector?.matchLabels,
  ]) {
    expect(selector).toEqual(labels)
  }
  expect(Number(budget.spec?.maxUnavailable)).toBeLessThan(Number(deployment.spec?.replicas))
  expect(deployment.spec?.strategy?.rollingUpdate?.maxUnavailable).toBe(0)
})

test('the probes ask endpoints of the service, on its main port, and leave it the time that it takes', () => {
  const probes = { startup: container?.startupProbe, liveness: container?.livenessProbe, readiness: container?.readinessProbe }
  const routes = new Set<string>(operations(main).flatMap(({ operation }) => ('route' in operation ? [operation.route] : [])))
  for (const [name, probe] of Object.entries(probes)) {
    expect([name, probe?.httpGet?.port]).toEqual([name, 'main'])
    expect(routes).toContain(`GET ${probe?.httpGet?.path}`)
    // The database has this time, and then the answer is 503.
    expect(Number(probe?.timeoutSeconds) * 1_000).toBeGreaterThan(settings.databaseTimeout)
  }
  // Whether the database is there is no reason to start the process again.
  expect([probes.startup?.httpGet?.path, probes.liveness?.httpGet?.path]).toEqual(['/health/live', '/health/live'])
  expect(probes.readiness?.httpGet?.path).toBe('/health/ready')
  // A pod gets no new requests before it is ended as dead.
  const seconds = (probe: Probe | undefined): number => Number(probe?.periodSeconds) * Number(probe?.failureThreshold)
  expect(seconds(probes.readiness)).toBeLessThan(seconds(probes.liveness))
  expect(seconds(probes.startup)).toBeGreaterThanOrEqual(300)
})

test('a pod that ends has the time of its grace, after the proxies have learnt of it', () => {
  const sleep = Number(container?.lifecycle?.preStop?.sleep?.seconds)
  expect(sleep).toBeGreaterThanOrEqual(5)
  expect(Number(pod?.terminationGracePeriodSeconds) * 1_000).toBeGreaterThan(sleep * 1_000 + settings.shutdownGrace + 1_000)
})

test('the container is that of compose.yaml: no rights, a file system that is read only, and the same memory', () => {
  expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(container?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(pod?.automountServiceAccountToken).toBe(false)
  // node, whose number in the image of Node.js is 1000.
  expect([textOf('Dockerfile').match(/^USER (\w+)$/m)?.[1], pod?.securityContext?.runAsUser]).toEqual(['node', 1000])
  const [, memory] = /^ {2}service:\n(?: {4}.*\n|\n)*? {4}mem_limit: (\d+)m$/m.exec(composeText) ?? []
  expect(container?.resources?.limits).toEqual({ memory: `${memory}Mi` })
  expect(composeText).toContain(`NODE_OPTIONS: ${environment['NODE_OPTIONS']}\n`)
})

test('the ingress allows everything that the service allows, streams, and repeats nothing', () => {
  const annotations = ingress.metadata?.annotations ?? {}
  expect(annotations['nginx.org/proxy-buffering']).toBe('False')
  expect(annotations['nginx.org/location-snippets']).toBe('proxy_next_upstream off;\n')
  const seconds = (name: string): number => Number(/^(\d+)s$/.exec(annotations[name] ?? '')?.[1])
  expect(seconds('nginx.org/proxy-read-timeout') * 1_000).toBeGreaterThan(preset('HANDLER_TIMEOUT_MS'))
  expect(Number(/^(\d+)k$/.exec(annotations['nginx.org/client-max-body-size'] ?? '')?.[1]) * 1024).toBeGreaterThan(preset('MAX_BODY_BYTES'))
  // nginx keeps idle connections for 60 seconds, and Traefik for 90.
  expect(settings.keepAliveTimeout).toBeGreaterThan(90_000)
})

test('the replicas have fewer connections than PostgreSQL allows by default', () => {
  const { replicas = 0, strategy } = deployment.spec ?? {}
  expect((replicas + Number(strategy?.rollingUpdate?.maxSurge)) * settings.databaseConnections).toBeLessThan(100)
})
