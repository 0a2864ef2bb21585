import type { TestProject } from 'vitest/node'
import { setup } from '#test/kit/postgres.ts'
import { startStack } from '#test/kit/stack.ts'

let keeper = ''
await setup({
  provide: (_: string, address: string) => {
    keeper = address
  },
} as unknown as TestProject)
const database = await (await fetch(keeper)).text()
const { gatewayUrl, mockUrl } = await startStack()
const ports = [gatewayUrl, mockUrl, database].map((url) => Number(new URL(url).port))
process.stdout.write(`${JSON.stringify(ports)}\n`)
