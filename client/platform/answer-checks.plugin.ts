import type { TSchema } from 'typebox'
import { Build } from 'typebox/schema'
import type { Plugin } from 'vite'
import { answerShapes } from './answer-shape.ts'

/**
 * Writes the checks of answers (answer-checks.ts) as TypeBox compiles them: the browser has neither the schemas nor TypeBox,
 * and its content policy allows no code made of text.
 * @param shapes Default: all; the desk asks none of these operations.
 */
export function answerChecks(shapes: Readonly<Record<string, TSchema>> = answerShapes): Plugin {
  return {
    name: 'answer-checks',
    load: {
      filter: { id: /\/client\/platform\/answer-checks\.ts$/ },
      handler: () => compiledChecks(shapes),
    },
  }
}

export function compiledChecks(shapes: Readonly<Record<string, TSchema>>): string {
  const checks = Object.entries(shapes).map(([name, shape]) => `${JSON.stringify(name)}: ${compiled(shape)},`)
  return `const checks = {
${checks.join('\n')}
}
export const hasShape = ({ method, path }, answer) => checks[\`\${method} \${path}\`]?.(answer) ?? true
`
}

/** An expression: the function that checks a value. */
function compiled(shape: TSchema): string {
  const build = Build(shape)
  // TypeBox checks a format by a function, which cannot be written into a file.
  if (build.External().variables.length > 0) throw new Error('an answer is checked by a schema with a format')
  return `(() => { ${build.Functions().join(';')}; return (value) => ${build.Entry()} })()`
}
