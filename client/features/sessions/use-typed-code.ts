import { useRef, useState } from 'react'
import { cleanTypedCode, isCodeComplete } from './code.rules.ts'

/** A code as it is typed, and why it was refused. */
export function useTypedCode() {
  const input = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState('')
  const [error, setError] = useState<string>()
  return {
    input,
    value,
    error,
    /** Returns the code once it has become complete. */
    change(text: string): string | undefined {
      const next = cleanTypedCode(text)
      setValue(next)
      setError(undefined)
      return isCodeComplete(next) && next !== value ? next : undefined
    },
    refuse(message: string): void {
      setError(message)
      input.current?.focus()
      // The next digit replaces the refused code.
      input.current?.select()
    },
    clear(): void {
      setValue('')
      setError(undefined)
    },
  }
}
