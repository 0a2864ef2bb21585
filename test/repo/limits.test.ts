import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type Rule, rulesFor } from '#server/features/otp/limits.rules.ts'
import { guessRules } from '#server/features/otp/otp.rules.ts'
import { readConfig } from '#server/platform/config.ts'
import { isInRepo, readRepoFile } from '#test/kit/repo-files.ts'
import { parseSource } from '#test/kit/source-tree.ts'

/** The rows of decision 0011: a rule, its variable, and the attack that it stops. */
const rows = readRepoFile('docs/decisions/0011-sign-in-in-six-numbers.md')
  .split('\n')
  .filter((line) => /^\| `\w+` \|/.test(line))
  .map((line) => {
    const [rule = '', of = '', , test = ''] = line.replace(/^\| | \|$/g, '').split(' | ')
    const [file = '', title = ''] = test.replaceAll('`', '').split(' › ')
    return { rule: rule.replaceAll('`', ''), variable: /`(\w+)`/.exec(of)?.[1] ?? '', file, title }
  })

/** One row per rule; of the lists per phone, one per answer. */
const wanted = Object.entries(rulesFor(readConfig({}), 'SA')).flatMap(([rule, rules]) => {
  const each: readonly Rule[] = [rules].flat()
  const unlike = each.filter(
    ({ code }, index) => !code || each.findIndex((other) => other.code === code) === index,
  )
  return unlike.map(({ name }) => `${rule} ${name}`)
})

function titlesIn(file: string): ReadonlySet<string> {
  const found = new Set<string>()
  parseSource(file).visit((node) => {
    if (!ts.isCallExpression(node) || !/^it\b/.test(node.expression.getText())) return
    const [first] = node.arguments
    if (first !== undefined && ts.isStringLiteralLike(first)) found.add(first.text)
  })
  return found
}

describe('the limits of sign-in', () => {
  it('are exactly the ones in decision 0011', () => {
    const expected = [...wanted, ...Object.keys(guessRules).map((rule) => `${rule} `)]
    expect(rows.map(({ rule, variable }) => `${rule} ${variable}`).sort()).toEqual(expected.sort())
  })

  it('each have the test of an attack', () => {
    const missing = rows.filter(
      ({ file, title }) => !file.startsWith('test/attacks/') || !isInRepo(file) || !titlesIn(file).has(title),
    )
    expect(missing).toEqual([])
  })
})
