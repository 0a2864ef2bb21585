import { useEffect, useState } from 'react'
import { readStored, store } from '#client/platform/browser-storage.ts'

type Signal = 'good' | 'bad'

/** Sounds are off until the agent switches them on, and then quiet: many counters stand next to each other. */
export function useSignals() {
  const [choice, setChoice] = useState(() => readStored('scanSignals'))
  const isOn = choice === 'on'
  useEffect(() => {
    if (!isOn) return
    document.addEventListener('pointerdown', resumeSound)
    return () => document.removeEventListener('pointerdown', resumeSound)
  }, [isOn])
  return {
    isOn,
    /** The agent has not chosen yet. */
    isUndecided: choice === undefined,
    choose: (next: 'on' | 'off') => {
      store('scanSignals', next)
      if (next === 'on') play('good')
      setChoice(next)
    },
    play: (signal: Signal) => {
      if (isOn) play(signal)
    },
  }
}

const vibrations = { good: [60], bad: [80, 60, 80] } as const satisfies Record<Signal, readonly number[]>
const pitches = { good: 880, bad: 220 } as const satisfies Record<Signal, number>
const volume = 0.06
const lengthSeconds = 0.12

let context: AudioContext | undefined

/** Browsers play nothing before a gesture: after a reload the first scan comes without one. */
function resumeSound(): void {
  if (!('AudioContext' in window)) return
  context ??= new AudioContext()
  if (context.state !== 'running') context.resume().catch(() => undefined)
}

function play(signal: Signal): void {
  navigator.vibrate?.([...vibrations[signal]])
  if (!('AudioContext' in window)) return
  context ??= new AudioContext()
  const tone = context.createOscillator()
  const gain = context.createGain()
  tone.frequency.value = pitches[signal]
  gain.gain.value = volume
  tone.connect(gain).connect(context.destination)
  tone.start()
  tone.stop(context.currentTime + lengthSeconds)
}
