import { createStore, useStore } from './store.ts'

/** The event of Chromium. In other browsers the user adds the app by hand. */
interface InstallPrompt extends Event {
  /** Asks the user; once. */
  prompt(): Promise<unknown>
}

const kept = createStore<InstallPrompt | undefined>(undefined)

/**
 * Keeps the browser's offer to install the app until a page makes it. The files of pilgrims' pages call it as they are
 * loaded, before the browser makes it; agents and visitors get the offer of the browser itself.
 */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', keep)
  window.addEventListener('appinstalled', forget)
}

function keep(event: Event): void {
  event.preventDefault()
  kept.set(event as InstallPrompt)
}

function forget(): void {
  kept.set(undefined)
}

/** Makes the offer, after a press of a button; undefined when the browser has no offer. */
export function useInstallOffer(): (() => void) | undefined {
  const offer = useStore(kept)
  if (offer === undefined) return undefined
  return () => {
    forget()
    void offer.prompt()
  }
}
