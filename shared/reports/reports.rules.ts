import { pageAt, pages } from '#shared/platform/pages.ts'

/** An error of the app and the place where it occurred, without personal data. */
export interface AppError {
  readonly message: string
  readonly stack: string
  /** The pattern of the page, such as `/orders/:id`, or `other` for an unknown address. */
  readonly path: string
  readonly release: string
}

/** The name of a release has 16 hexadecimal digits; the build plugin of the worker makes it. */
const releaseName = /^[0-9a-f]{16}$/
const maxMessage = 200
const maxStack = 1_500

export function appError(error: {
  readonly message: string
  readonly stack: string
  readonly path: string
  readonly release: string
}): AppError {
  return {
    message: withoutData(error.message).slice(0, maxMessage),
    stack: withoutData(error.stack).slice(0, maxStack),
    path: pageOf(error.path),
    release: releaseName.test(error.release) ? error.release : '',
  }
}

/**
 * Replaces a path by the pattern of its page, because paths contain order numbers and secrets of shared links. A
 * pattern maps to itself, so that a report can be processed again.
 */
function pageOf(path: string): string {
  const page = pageAt(path)
  return page === undefined ? 'other' : pages[page]
}

/**
 * JavaScript engines quote text that they cannot read, so a message may contain a name, a phone or a secret. Only
 * quoted property names, paths of our files and positions in them stay.
 */
function withoutData(text: string) {
  return (
    text
      .replace(/[?#][^\s:)'"]*/g, '')
      .replace(/\b[a-z-]+:\/\/[^/\s)]*/g, '')
      .replace(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|“[^”\n]*”/g, (quoted) =>
        /^.[a-z_$][\w$]*.$/.test(quoted) ? quoted : '…',
      )
      .replace(/[^\s/()]{32,}(?!\.\w)/g, '…')
      // Long numbers may be a phone number. The line and column of a position in a script stay.
      .replace(/(?<![:\w-])\+?\d[\d ]{3,}/g, '…')
      .replace(/[^\t\n\x20-\x7e…]+/g, '…')
  )
}
