import { describe, expect, it } from 'vitest'
import { deviceLabel } from './devices.rules.ts'

describe('a device', () => {
  it.each([
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36',
      'Chrome · Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari · iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/128.0.6613.98 Mobile/15E148 Safari/604.1',
      'Chrome · iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'Samsung Internet · Android',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0',
      'Edge · Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15',
      'Safari · macOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox · Linux'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/128.0.0.0 Safari/537.36',
      'Chrome · Linux',
    ],
    ['Mozilla/5.0 (Windows NT 10.0)', 'Windows'],
    ['curl/8.5.0', ''],
    ['<script>alert(1)</script>', ''],
    ['', ''],
    [undefined, ''],
  ])('is labelled by its browser and its system: %s', (userAgent, label) => {
    expect(deviceLabel(userAgent)).toBe(label)
  })

  it('is labelled from a closed list', () => {
    expect(deviceLabel(`Chrome/1 Android ${'x'.repeat(10_000)} owner=Maryam`)).toBe('Chrome · Android')
  })
})

describe('a browser that also calls itself Chrome and Safari', () => {
  const android = (marks: string) =>
    `Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) ${marks} Mobile Safari/537.36`

  it.each([
    [android('Chrome/128.0.0.0 HuaweiBrowser/15.0.4.312'), 'Huawei Browser · Android'],
    [android('Chrome/128.0.0.0 UCBrowser/13.4.0.1306'), 'UC Browser · Android'],
    [android('Chrome/128.0.0.0 EdgA/128.0.0.0'), 'Edge · Android'],
    [android('Chrome/128.0.0.0 OPR/84.0.0.0'), 'Opera · Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/130.0 Mobile/15E148 Safari/605.1.15',
      'Firefox · iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari · iPad',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
      'Chrome · ChromeOS',
    ],
  ])('is labelled by its own name: %s', (userAgent, label) => {
    expect(deviceLabel(userAgent)).toBe(label)
  })
})
