import {
  hasDesk,
  readDatabaseLocation,
  requireInstallation,
  runTool,
  UsageError,
  withSource,
} from './lib/tool.ts'
import { adopt } from './ops/adopt.ts'
import { afterRestore } from './ops/after-restore.ts'
import { readAheadMs } from './ops/time.ts'
import { helpLine, readVerb, verbsHelp } from './ops/verbs.ts'

interface ToolRow {
  readonly takes?: string
  readonly help: string
  run(args: readonly string[]): Promise<void>
}

function withoutArguments(work: () => Promise<void>): ToolRow['run'] {
  return async (args) => {
    if (args.length > 0) throw new UsageError()
    await work()
  }
}

/** Verbs that do not work on the database of a running gateway. Modules that only some verbs need are loaded here. */
const tools: Readonly<Record<string, ToolRow>> = {
  'check-partners': {
    help: 'calls every outside service once and harmlessly; exit code 1 when one cannot be used',
    run: withoutArguments(async () => {
      const { printPartnerChecks } = await import('./ops/check-partners.ts')
      await printPartnerChecks()
    }),
  },
  'check-payment-page': {
    help: 'compares /payment at PUBLIC_URL with this build and configuration; exit code 1 on a difference',
    run: withoutArguments(async () => {
      const { checkPaymentPage } = await import('./ops/payment-page.ts')
      await checkPaymentPage()
    }),
  },
  adopt: {
    takes: '--mode <live | demo>',
    help: 'writes the mode of a database that has orders and no mode; it cannot be changed later',
    run: adopt,
  },
  'after-restore': {
    takes: '--since <time>',
    help: 'prepares a restored database; --previous <database>, --order-gap <n>, --other-installation <id>',
    run: afterRestore,
  },
}

const usage = `usage: npm run ops -- <verb> [--by <name>] [--as <subject>] [--reason <text>] [--yes]
${verbsHelp}
Checks, and a database before its gateways start:
${Object.entries(tools)
  .map(([name, row]) => helpLine(name, row))
  .join('\n')}
Every change is stored with who (--by adds a name to the user of this machine), when, what and why. --yes answers a
question before it is asked. Run every verb with all variables of the gateway, in the environment and .env: without
DESK_OIDC_ISSUER, for example, a refund needs no second person.`

await runTool(usage, async (args) => {
  const [name = '', ...rest] = args
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool) return tool.run(rest)
  const work = readVerb(args)
  await withSource(await readDatabaseLocation(), {}, async (source) => {
    const { mode } = requireInstallation(source)
    source.database.setAhead(await readAheadMs(mode))
    const now = await source.database.readNow()
    console.log(await work(source.database, { now, hasDesk: hasDesk(mode) }))
  })
})
