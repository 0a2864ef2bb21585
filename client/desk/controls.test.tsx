// @vitest-environment jsdom
import { readFile } from 'node:fs/promises'
import { cleanup, render } from '@testing-library/react'
import { Button, Tag } from 'antd'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { Controls } from './controls.tsx'

afterEach(cleanup)

/** The value of a CSS variable in the newest styles of antd. */
function tokenOf(name: string): string | undefined {
  const rules = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n')
  return [...rules.matchAll(new RegExp(`--ant-${name}: ?([^;]+);`, 'g'))].at(-1)?.[1]
}

it.each([
  ['34 px for a mouse', 'none', ['34px', '25.5px']],
  ['44 px for a finger, small ones too', '(pointer: coarse)', ['44px', '44px']],
])('controls are %s', (_, held, heights) => {
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media === held, onchange: null }),
  )
  render(
    <Controls>
      <Button size="small">Take</Button>
    </Controls>,
  )
  expect(['control-height', 'control-height-sm'].map(tokenOf)).toEqual(heights)
})

it('has the colours of the look, each by a name that the look has', async () => {
  const [look, theme] = await Promise.all(
    ['client/ui/tokens.css', 'client/desk/theme.ts'].map((path) => readFile(path, 'utf8')),
  )
  const names = [...(theme?.matchAll(/--[a-z][\w-]*/g) ?? [])].map(([name]) => name)
  expect(names.filter((name) => !look?.includes(`  ${name}:`))).toEqual([])
  const sheet = document.createElement('style')
  sheet.textContent = ':root { --primary: #0b5d51; --info: #1f4e8c }'
  document.head.append(sheet)
  onTestFinished(() => sheet.remove())
  render(
    <Controls>
      <Button>Take</Button>
    </Controls>,
  )
  expect(['color-primary', 'color-info'].map(tokenOf)).toEqual(['#0b5d51', '#1f4e8c'])
})

it('antd writes its style sheets as text, without the assignment that Trusted Types refuse', () => {
  const sink = vi.spyOn(Element.prototype, 'innerHTML', 'set')
  render(
    <Controls>
      <Tag>Paid</Tag>
    </Controls>,
  )
  const sheets = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n')
  expect(sheets).toContain('.ant-tag')
  expect(sink.mock.contexts.filter((element) => element instanceof HTMLStyleElement)).toEqual([])
})
