import { runGateway } from '#server/gateway-process.ts'
import { readConfig } from '#server/platform/config.ts'

/** As `server/main.ts`, with the limits of `TEST_LIMITS`. */
const { TEST_LIMITS: limits = '', ...env } = process.env
await runGateway({ ...readConfig(env), limits: JSON.parse(limits) })
