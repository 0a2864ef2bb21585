import { pageAt, pages } from '#shared/platform/pages.ts'

/** A report of an error contains no personal data. */
export interface AppError {
  readonly message: string
  readonly stack: string
  readonly path: string
  readonly release: string
}

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
 * Replaces the path of a page, which can contain an order number or the secret of a shared link, by its pattern. A
 * pattern maps to itself, so that a report can be processed again.
 */
function pageOf(path: string): string {
  const page = pageAt(path)
  return page === undefined ? 'other' : pages[page]
}

/**
 * The message of an error can quote a name, a phone or a secret. Only quoted property names, paths of our files and
 * positions in them remain.
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
      // A long number can be a phone, so reports omit it.
      .replace(/(?<![:\w-])\+?\d[\d ]{3,}/g, '…')
      .replace(/[^\t\n\x20-\x7e…]+/g, '…')
  )
}
