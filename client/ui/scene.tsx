import type { ReactNode } from 'react'
import styles from './scene.module.css'

// The colours of the scheme.
export const hill = { fill: 'var(--scene-hill)', stroke: 'none' }
const cloth = { fill: 'var(--scene-hill)' }
export const bag = { fill: 'var(--scene-bag)' }
export const ground = { fill: 'var(--page)' }
export const tag = { fill: 'var(--saffron)' }
export const paper = { fill: 'var(--scene-paper)' }
/** On the tag or on paper, which are light in both schemes. */
export const print = { stroke: 'var(--on-saffron)' }
export const thread = { stroke: 'var(--saffron)', strokeWidth: 3 }

/**
 * The frame of a scene: things on the ground of Mina, in two tones and a line of ink. Decoration, always beside a text that
 * says the same. The scenes of pages stand with their pages; here are those that are shown when a page cannot be loaded.
 */
export function Scene({ children }: { readonly children: ReactNode }) {
  return (
    <svg className={styles.scene} viewBox="0 0 240 160" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

export function HandedOverScene() {
  return (
    <Scene>
      <path {...cloth} d="M36 20h168l12 28H24Z" />
      <path {...bag} d="M78 20H36L24 48h48ZM120 20h42l6 28h-48Z" />
      <path d="M32 48v92M208 48v92" />
      <path d="M12 140h216" />
      <path {...cloth} d="M84 126h72v14H84ZM112 133h16" />
      <path
        {...paper}
        d="M94 80h52a6 6 0 0 1 6 6v34a6 6 0 0 1-6 6H94a6 6 0 0 1-6-6V86a6 6 0 0 1 6-6ZM108 80V68h24v12"
      />
      <path {...tag} d="M110 94l6-6h8l6 6v24h-20Z" />
      <path {...print} strokeWidth="3" d="M115 106l4 4 7-8" />
    </Scene>
  )
}

export function OfflineScene() {
  return (
    <Scene>
      <path d="M12 140h216" />
      <path {...thread} d="M0 40C30 64 52 12 84 40M156 34c30-22 54 24 84 4" />
      <path
        {...thread}
        strokeWidth="2"
        d="M84 40l8 2M84 40l6 8M84 40l2 9M156 34l-8-2M156 34l-6 6M156 34l-1 9"
      />
      <path {...cloth} d="M82 58h76a8 8 0 0 1 8 8v74H74V66a8 8 0 0 1 8-8Z" />
      <path {...tag} d="M94 90l14-14h24l14 14v50H94Z" />
      <path {...paper} d="M120 82a4 4 0 1 0 0 8a4 4 0 0 0 0-8ZM102 102h36v26h-36Z" />
      <path
        {...print}
        strokeLinecap="butt"
        strokeWidth="3"
        d="M107 106v18M112 106v18M119 106v18M124 106v18M132 106v18"
      />
      <path d="M112 64h16" />
    </Scene>
  )
}

export function FailingScene() {
  return (
    <Scene>
      <path d="M12 140h216" />
      <path {...hill} d="M40 140Q98 122 120 60q22 62 80 80Z" />
      <path
        {...thread}
        d="M0 34C50 44 64 10 96 18s44 30 20 38-44-26-10-38 56 30 24 42-40-34-6-42 66-14 116 10"
      />
      <path {...thread} d="M122 60v18" />
      <path {...tag} d="M98 90l14-14h18l14 14v50H98Z" />
      <path {...paper} d="M121 82a4 4 0 1 0 0 8a4 4 0 0 0 0-8Z" />
      <path {...print} d="M108 112h26M108 122h16" />
    </Scene>
  )
}
