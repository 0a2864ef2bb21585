/** The order matters: most browsers also name Chrome and Safari in the user agent. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOP(R|T|iOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Huawei Browser', /\bHuaweiBrowser\//],
  ['UC Browser', /\bUC(Browser|Web)/],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|Chromium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]

/** The label omits the rest of the user agent header, which identifies a device. */
export function deviceLabel(userAgent: string | undefined): string {
  if (!userAgent) return ''
  const wordOf = (words: typeof browsers) => words.find(([, mark]) => mark.test(userAgent))?.[0]
  return [wordOf(browsers), wordOf(systems)].filter((word) => word !== undefined).join(' · ')
}
