// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readRepoFile } from '#test/kit/repo/repo-files.ts'
import { addWidgetAssets, type PixelConstructor, waitForPixel, widgetTheme } from './widget.ts'

const tokens = readRepoFile('client/ui/tokens.css')

const Pixel = class {} as PixelConstructor

afterEach(() => {
  document.head.replaceChildren()
  Reflect.deleteProperty(window, 'Pixel')
  vi.useRealTimers()
})

describe('the assets', () => {
  const assets = {
    script: 'https://cdn.example/main.js',
    styles: ['https://cdn.example/a.css', 'https://cdn.example/b.css'],
  }

  it('are added to the head: a module script and the styles', () => {
    addWidgetAssets(assets)
    const script = document.head.querySelector('script')
    expect(script?.type).toBe('module')
    expect(script?.src).toBe(assets.script)
    const links = [...document.head.querySelectorAll('link')]
    expect(links.map((link) => [link.rel, link.href])).toEqual(
      assets.styles.map((href) => ['stylesheet', href]),
    )
  })

  it('set integrity only when a hash is configured', () => {
    addWidgetAssets(assets)
    expect(document.head.querySelector('script')?.integrity || undefined).toBeUndefined()
    document.head.replaceChildren()
    addWidgetAssets({ ...assets, integrity: 'sha384-abc' })
    const script = document.head.querySelector('script')
    expect(script?.integrity).toBe('sha384-abc')
    expect(script?.crossOrigin).toBe('anonymous')
  })

  it('are added once', () => {
    addWidgetAssets(assets)
    addWidgetAssets(assets)
    expect(document.head.querySelectorAll('script')).toHaveLength(1)
    expect(document.head.querySelectorAll('link')).toHaveLength(2)
  })
})

describe('the theme', () => {
  const style = document.documentElement.style
  afterEach(() => {
    document.documentElement.removeAttribute('style')
  })

  it('has the colours of paper, which are the same in both schemes', () => {
    const names = ['paper', 'paper-primary', 'paper-error', 'paper-line', 'paper-ink', 'paper-muted']
    for (const name of names) style.setProperty(`--${name}`, name)
    // The colours of the page, which are light on dark in the dark scheme.
    for (const name of ['surface', 'primary', 'error', 'line', 'ink', 'muted'])
      style.setProperty(`--${name}`, 'of-the-page')
    expect(widgetTheme()).toMatchObject({
      Color_Container: 'paper',
      Color_Primary: 'paper-primary',
      Color_Error: 'paper-error',
      Color_Border_Input_Fields: 'paper-line',
      Text_Color_For_Input_Fields: 'paper-ink',
      Text_Color_For_Payment_Button: 'paper',
      Color_For_Text_Placeholder: 'paper-muted',
    })
    expect(Object.values(widgetTheme())).not.toContain('of-the-page')
    const [light = '', dark = ''] = tokens.split('@media (prefers-color-scheme: dark)')
    for (const name of names) {
      expect(light).toContain(`--${name}:`)
      expect(dark).not.toContain(`--${name}:`)
    }
  })
})

describe('waiting for the widget', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  it('resolves at once when it is loaded', async () => {
    window.Pixel = Pixel
    await expect(waitForPixel(new AbortController().signal)).resolves.toBe(Pixel)
  })

  it('checks every 200 ms until it is loaded', async () => {
    const found = vi.fn()
    const waiting = waitForPixel(new AbortController().signal).then(found)
    await vi.advanceTimersByTimeAsync(1_000)
    window.Pixel = Pixel
    expect(found).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(199)
    expect(found).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await waiting
    expect(found).toHaveBeenCalledWith(Pixel)
  })

  it('rejects after 15 seconds', async () => {
    const outcome = waitForPixel(new AbortController().signal).catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(15_200)
    await expect(outcome).resolves.toBe('The payment script did not load in time')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects at once when the script fails to load', async () => {
    addWidgetAssets({ script: 'https://cdn.example/main.js', styles: [] })
    document.head.querySelector('script')?.dispatchEvent(new Event('error'))
    await expect(waitForPixel(new AbortController().signal)).rejects.toThrow('out of reach')
  })

  it('rejects with the reason of an abort, even when the widget is loaded', async () => {
    window.Pixel = Pixel
    const controller = new AbortController()
    const outcome = waitForPixel(controller.signal).catch((error: unknown) => error)
    controller.abort('gone')
    await expect(outcome).resolves.toBe('gone')
  })
})
