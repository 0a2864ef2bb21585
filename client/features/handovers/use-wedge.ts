import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { afterKey, afterSilence, noKeys, silenceMs, type WedgeReading } from './wedge.rules.ts'

/**
 * Listens for a hand scanner that types, wherever the focus is, except in a text field.
 * @returns whether a scanner has typed: browsers do not report which devices are connected.
 */
export function useWedge(onReading: (reading: WedgeReading) => void): boolean {
  const [hasTyped, setHasTyped] = useState(false)
  const take = useEffectEvent((reading: WedgeReading) => {
    setHasTyped(true)
    onReading(reading)
  })
  const keys = useRef(noKeys)
  useEffect(() => {
    let silence: number | undefined
    const onSilence = () => {
      const reading = afterSilence(keys.current)
      if (reading !== undefined) take(reading)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.repeat || isElsewhere(event.target)) return
      const { code, key, timeStamp } = event
      const before = keys.current
      const { keys: next, reading } = afterKey(before, { code, key, at: timeStamp })
      if (next === before) return
      keys.current = next
      window.clearTimeout(silence)
      if (reading === undefined) {
        silence = window.setTimeout(onSilence, silenceMs)
        return
      }
      // The scanner's Enter would press the focused button, and its Tab move the focus.
      event.preventDefault()
      event.stopPropagation()
      take(reading)
    }
    // The capture phase runs before the focused control receives the key.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => {
      window.clearTimeout(silence)
      window.removeEventListener('keydown', onKeyDown, { capture: true })
    }
  }, [])
  return hasTyped
}

/** The scanner is ignored in a text field, which checks its own text on Enter, and in a dialog, which asks something else. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, dialog') !== null
}
