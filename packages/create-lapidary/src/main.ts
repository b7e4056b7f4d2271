/** The program `create-lapidary`, which bin/create-lapidary.js starts. */
import process from 'node:process'
import { runCreate } from './run.ts'

const { stdin: input, stdout: output, stderr: errors, env } = process

process.exitCode = await runCreate(process.argv.slice(2), { input, output, errors, cwd: process.cwd(), env })
