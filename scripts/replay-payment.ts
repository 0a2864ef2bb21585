import { runTool } from './lib/tool.ts'
import { replay } from './replay/replay.ts'
import { openSides } from './replay/sides.ts'

const usage = `usage: npm run replay -- <success|decline|cancel|refund|void> <OD-n | n | reference | airway bill> [options]
Lets the simulated provider decide on a payment, and prints the order before and after, as its gateway knows it. Exit code
1 unless the order ends as the story should: paid with an airway bill for each bag, refunded, or unchanged. Finds the
gateway by GATEWAY_URL, or HOST and PORT, the simulator by MOCK_PARTNER_URL, or HOST and MOCK_PARTNER_PORT. The key is
DEMO_CONTROL_KEY, else that of the stack that npm start runs at PORT, else that of DATA_DIR. All from the environment
and .env.
  --callback <lose|twice|late|forge|mismatch>   what becomes of the callback
  --delay <ms>   how late it is sent
  --times <n>    decides n times, 1 to 20
  --wait <ms>    how long the order may take to end, after the callback was sent: 30000 by default, 180000 after a lost
                 callback, which an inquiry replaces two minutes after the payment page was opened
  --watch        prints each change of the order meanwhile
  --json         prints one JSON object instead of lines`

await runTool(usage, (args) => replay(args, openSides, console.log))
