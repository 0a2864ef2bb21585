import { Link } from 'react-router-dom'
import { paths } from '#client/platform/paths.ts'

interface TermsTextProps {
  readonly text: string
  /** The name of the terms in the text. */
  readonly name: string
}

/** A text whose name of the terms leads to them; the name follows a text without it. */
export function TermsText({ text, name }: TermsTextProps) {
  const at = text.indexOf(name)
  const [before, after] = at === -1 ? [`${text} `, ''] : [text.slice(0, at), text.slice(at + name.length)]
  return (
    <>
      <span>{before}</span>
      <Link to={paths.terms}>{name}</Link>
      <span>{after}</span>
    </>
  )
}
