// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addWidgetAssets, type PixelConstructor, waitForPixel } from './widget.ts'

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

  it('go into the head: a module script and the styles', () => {
    addWidgetAssets(assets)
    const script = document.head.querySelector('script')
    expect(script?.type).toBe('module')
    expect(script?.src).toBe(assets.script)
    const links = [...document.head.querySelectorAll('link')]
    expect(links.map((link) => [link.rel, link.href])).toEqual(
      assets.styles.map((href) => ['stylesheet', href]),
    )
  })

  it('go there once, however often they are asked for', () => {
    addWidgetAssets(assets)
    addWidgetAssets(assets)
    expect(document.head.querySelectorAll('script')).toHaveLength(1)
    expect(document.head.querySelectorAll('link')).toHaveLength(2)
  })
})

describe('waiting for the widget', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  it('ends at once when it is there', async () => {
    window.Pixel = Pixel
    await expect(waitForPixel(new AbortController().signal)).resolves.toBe(Pixel)
  })

  it('looks every 200 ms until it is there', async () => {
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

  it('gives up after 15 seconds', async () => {
    const outcome = waitForPixel(new AbortController().signal).catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(15_200)
    await expect(outcome).resolves.toBe('The payment script did not load in time')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('gives up at once when the script cannot be loaded', async () => {
    addWidgetAssets({ script: 'https://cdn.example/main.js', styles: [] })
    document.head.querySelector('script')?.dispatchEvent(new Event('error'))
    await expect(waitForPixel(new AbortController().signal)).rejects.toThrow('out of reach')
  })

  it('ends with the reason of an abort, even when the widget is there', async () => {
    window.Pixel = Pixel
    const controller = new AbortController()
    const outcome = waitForPixel(controller.signal).catch((error: unknown) => error)
    controller.abort('gone')
    await expect(outcome).resolves.toBe('gone')
  })
})
