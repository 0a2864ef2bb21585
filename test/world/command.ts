import { runFile } from '#test/kit/programs/tools.ts'

/** `npm run world` with these arguments. */
export const world = (...args: readonly string[]) => runFile('test/world/main.ts', args)
