import { useEffect, useState } from 'react'

/** True once `isOn` has held for `ms` milliseconds. */
export function useAfter(ms: number, isOn = true): boolean {
  const [isAfter, setIsAfter] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setIsAfter(true), ms)
    return () => {
      clearTimeout(timer)
      setIsAfter(false)
    }
  }, [ms, isOn])
  return isAfter
}

/** The time in epoch milliseconds, read again every `ms` milliseconds until it is `until`. */
export function useNow(ms: number, until = Number.POSITIVE_INFINITY): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const read = () => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }
    const timer = setInterval(read, ms)
    read()
    return () => clearInterval(timer)
  }, [ms, until])
  return now
}

/** Whole seconds until `time` (epoch milliseconds), updated each second; 0 when it has passed or is undefined. */
export function useSecondsUntil(time = 0): number {
  return Math.max(0, Math.ceil((time - useNow(1_000, time)) / 1_000))
}
