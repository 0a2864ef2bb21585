import type { Page } from 'playwright-core'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { Stack } from '../programs/stack.ts'
import { type Mark, marksOf, runCommand } from '../repo/document-commands.ts'
import { expect } from './journey.ts'
import { type Words, words } from './words.ts'

/** A section of an English document, which a test performs mark by mark, in either language. */
export interface Walk {
  readonly language: LanguageCode
  /** What the document calls so is called so in this run: a number, a phone. */
  name(inDocument: string, here: string): void
  /** The next mark is this text of the screen in English; returns it as the pages of this run show it. */
  readonly t: Words
  /** The same of a text that is in no catalogue. */
  text(of: (language: LanguageCode) => string): string
  /** The next mark is typed: what. */
  typed(): string
  /** The next mark is a key: its name for Playwright. */
  key(): string
  /** Presses it. */
  press(page: Page): Promise<void>
  /** Runs the command that is the next mark; it must succeed. */
  run(): Promise<void>
  /** Nothing is left to do. */
  expectEnd(): void
}

/** As people read it: without marks of direction, with plain spaces. */
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '').replace(/\s/g, ' ')

const keyNames: Readonly<Record<string, string>> = { '↓': 'ArrowDown', 'Ctrl + Enter': 'Control+Enter' }

export function openWalk(
  { path, heading }: { readonly path: string; readonly heading: string },
  { stack, language }: { readonly stack: Stack; readonly language: LanguageCode },
): Walk {
  const left = marksOf(path, heading)
  const names = new Map<string, string>()
  const placed = (text: string) =>
    [...names].reduce((known, [name, here]) => known.replace(new RegExp(`\\b${name}\\b`, 'g'), here), text)

  function next(kind: Mark['kind']): string {
    const mark = left.shift()
    expect(mark, `${path}, ${heading}`).toMatchObject({ kind })
    return mark?.text ?? ''
  }

  const text: Walk['text'] = (of) => {
    expect(placed(next('screen')), `${path}, ${heading}`).toBe(plain(of('en')))
    return of(language)
  }

  function key(): string {
    const name = next('key')
    return keyNames[name] ?? name
  }

  return {
    language,
    name: (inDocument, here) => names.set(inDocument, here),
    text,
    t: (key, values) => text((each) => words(each)(key, values)),
    typed: () => placed(next('typed')),
    key,
    press: (page) => page.keyboard.press(key()),
    async run() {
      const command = next('command')
      const { code, out, err } = await runCommand(command, stack, {}, Object.fromEntries(names))
      expect([code, err], `${command}\n${out}`).toEqual([0, ''])
    },
    expectEnd: () => expect(left).toEqual([]),
  }
}
