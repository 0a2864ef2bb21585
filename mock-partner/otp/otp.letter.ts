import { readFileSync } from 'node:fs'

/** The template that an operator gives the mailer of the Verify service (docs/wires/otp.md O32). */
const template = readFileSync(new URL('../../shared/wire/otp/code-letter.html', import.meta.url), 'utf8')

const choice = /\{\{#equals language "(\w+)"\}\}(.*?)\{\{else\}\}(.*?)\{\{\/equals\}\}/gs

/** @param language undefined when the request has no substitutions */
export function codeLetterOf(language: string | undefined, code: string): { subject: string; html: string } {
  const html = template
    .replace(choice, (_, known: string, then: string, otherwise: string) =>
      language === known ? then : otherwise,
    )
    .replaceAll('{{twilio_code}}', code)
  return { subject: /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '', html }
}
