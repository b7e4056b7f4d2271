/**
 * Starts the server. Its settings are `PORT`, and those of a provider: `PROVIDER` (`openai`, or a server that speaks as OpenAI does, or
 * `anthropic`), `PROVIDER_URL`, `PROVIDER_KEY` and `PROVIDER_MODEL`. Without a provider, a model on this machine
 * writes, a token each `DELAY` milliseconds.
 */
import { run } from 'lapidary/node'
import { createCompletions } from './completions.ts'
import { createLocalModel, type Model } from './model.ts'
import { bundlePage } from './page/bundle.ts'
import { createAnthropicModel, createOpenAiModel } from './provider.ts'
import { createServer } from './server.ts'

const {
  PORT = '3000',
  DELAY = '60',
  PROVIDER = 'local',
  PROVIDER_URL: url = '',
  PROVIDER_KEY: key = '',
  PROVIDER_MODEL: model = '',
} = process.env

const models: Readonly<Record<string, () => Model>> = {
  local: () => createLocalModel(Number(DELAY)),
  openai: () => createOpenAiModel({ url: url || 'https://api.openai.com/v1', key, model }),
  anthropic: () => createAnthropicModel({ url: url || 'https://api.anthropic.com/v1', key, model }),
}
const createModel = models[PROVIDER]
if (createModel === undefined) throw new TypeError(`PROVIDER=${PROVIDER}: expected one of ${Object.keys(models).join(', ')}`)

await bundlePage()
const completions = createCompletions(createModel(), {
  linger: 10_000,
  keep: 600_000,
  onError: (error) => process.stderr.write(`${error}\n`),
})
const started = await run(createServer(completions), { port: Number(PORT), onClose: [() => completions.close()] })
process.stdout.write(`${started.url}\n`)
