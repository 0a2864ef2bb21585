import { createStore, useStore } from './store.ts'

/** Of Chromium; other browsers have none, and add an app by hand. */
interface InstallPrompt extends Event {
  /** Asks the user; once. */
  prompt(): Promise<unknown>
}

const kept = createStore<InstallPrompt | undefined>(undefined)

/** Keeps the browser's offer to install the app until a page makes it. Registered before the browser can make it. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    kept.set(event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => kept.set(undefined))
}

/** Makes the offer, after a press of a button; undefined where the browser has none to make. */
export function useInstallOffer(): (() => void) | undefined {
  const offer = useStore(kept)
  if (offer === undefined) return undefined
  return () => {
    kept.set(undefined)
    void offer.prompt()
  }
}
