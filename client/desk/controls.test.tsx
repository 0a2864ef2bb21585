// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { Button } from 'antd'
import { afterEach, expect, it, vi } from 'vitest'
import { Controls } from './controls.tsx'

afterEach(cleanup)

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
  const rules = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('\n')
  const tokenOf = (name: string) =>
    [...rules.matchAll(new RegExp(`--ant-${name}: ?([^;]+);`, 'g'))].at(-1)?.[1]
  expect(['control-height', 'control-height-sm'].map(tokenOf)).toEqual(heights)
})
