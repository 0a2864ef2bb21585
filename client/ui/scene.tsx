import type { ReactNode } from 'react'
import styles from './scene.module.css'

// The colours of the scheme.
const hill = { fill: 'var(--scene-hill)', stroke: 'none' }
const cloth = { fill: 'var(--scene-hill)' }
const bag = { fill: 'var(--scene-bag)' }
const ground = { fill: 'var(--page)' }
const tag = { fill: 'var(--saffron)' }
const paper = { fill: 'var(--scene-paper)' }
/** On the tag or on paper, which are light in both schemes. */
const print = { stroke: 'var(--on-saffron)' }
const thread = { stroke: 'var(--saffron)', strokeWidth: 3 }

/** Things on the ground of Mina: two tones and a line of ink. */
const scenes = {
  home: (
    <>
      <path {...hill} d="M12 140Q50 128 62 84q12 44 50 56Zm116 0q38-12 50-56q12 44 50 56Z" />
      <path d="M12 140h216" />
      <path {...bag} d="M78 58h84a8 8 0 0 1 8 8v66a8 8 0 0 1-8 8H78a8 8 0 0 1-8-8V66a8 8 0 0 1 8-8Z" />
      <path d="M102 58V42a6 6 0 0 1 6-6h24a6 6 0 0 1 6 6v16M90 58v82M150 58v82" />
      <path {...thread} d="M120 36C120 66 150 62 152 82" />
      <path {...tag} d="M140 88l8-8h10l8 8v36h-26Z" />
      <path {...print} d="M153 88h0M146 104h14M146 110h14M146 116h8" />
    </>
  ),
  empty: (
    <>
      <path {...hill} d="M40 140Q98 122 120 56q22 66 80 84Z" />
      <path d="M12 140h216" />
      <path {...thread} d="M0 22C60 40 80 6 120 22S188 30 240 8" />
      <path {...thread} d="M120 22c-8 10-10 22 0 24s8-14 0-24" />
      <path {...ground} strokeDasharray="5 5" d="M98 68l14-14h16l14 14v54H98Z" />
      <path {...ground} d="M120 61a4 4 0 1 0 0 8a4 4 0 0 0 0-8Z" />
    </>
  ),
  'handed-over': (
    <>
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
    </>
  ),
  offline: (
    <>
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
    </>
  ),
  'not-found': (
    <>
      <path {...hill} d="M8 140Q36 130 46 98q10 32 38 42Zm140 0q28-10 38-42q10 32 38 42Z" />
      <path d="M12 140h216" />
      <path {...bag} d="M38 92h50a6 6 0 0 1 6 6v36a6 6 0 0 1-6 6H38a6 6 0 0 1-6-6V98a6 6 0 0 1 6-6Z" />
      <path d="M52 92V80h22v12M46 92v48M80 92v48" />
      <path {...thread} d="M63 80C70 50 92 90 104 62S112 40 126 44" />
      <g transform="rotate(10 126 44)">
        <path {...tag} d="M116 34l14-14h82a4 4 0 0 1 4 4v40a4 4 0 0 1-4 4h-82l-14-14Z" />
        <path {...paper} d="M127 40a4 4 0 1 0 0 8a4 4 0 0 0 0-8Z" />
        <path
          {...print}
          strokeWidth="5"
          d="M151 32l-9 16h15M154 42v14M168 32h10v24h-10ZM196 32l-9 16h15M199 42v14"
        />
      </g>
    </>
  ),
  failing: (
    <>
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
    </>
  ),
} as const satisfies Record<string, ReactNode>

export type SceneName = keyof typeof scenes

/** Decoration, always beside a text that says the same. */
export function Scene({ name }: { name: SceneName }) {
  return (
    <svg className={styles.scene} viewBox="0 0 240 160" aria-hidden="true" focusable="false">
      {scenes[name]}
    </svg>
  )
}
