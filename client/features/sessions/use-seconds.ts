import { useEffect, useState } from 'react'
import { secondsUntil } from './code.rules.ts'

/** Whole seconds until `time` (epoch milliseconds), updated each second; 0 when it has passed or is undefined. */
export function useSecondsUntil(time: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (time === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= time) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [time])
  return time === undefined ? 0 : secondsUntil(time, now)
}
