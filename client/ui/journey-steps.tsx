import { useTranslation } from '#client/platform/i18n.ts'
import styles from './journey-steps.module.css'
import knotStyles from './knot.module.css'
import layout from './layout.module.css'

const steps = [
  { name: 'route', text: 'journey.route' },
  { name: 'review', text: 'journey.review' },
  { name: 'pay', text: 'journey.pay' },
  { name: 'label', text: 'journey.labelStep' },
] as const

type JourneyStep = (typeof steps)[number]['name']

/** Route → Review → Pay → Label, as knots of the thread. */
export function JourneySteps({ current }: { current: JourneyStep }) {
  const { t } = useTranslation('ui')
  const currentIndex = steps.findIndex((step) => step.name === current)
  return (
    <ol className={`${layout.grid} ${styles.journeySteps}`} aria-label={t('journey.label')} data-screen>
      {steps.map((step, index) => {
        const isDone = index < currentIndex
        const isCurrent = index === currentIndex
        const progress = isDone ? 'done' : isCurrent ? 'current' : undefined
        return (
          <li
            key={step.name}
            className={styles.journeyStep}
            data-progress={progress}
            aria-current={isCurrent ? 'step' : undefined}
          >
            <i className={knotStyles.knot} aria-hidden="true" />
            <span>{t(step.text)}</span>
            {isDone ? <span className="visually-hidden">{t('journey.done')}</span> : null}
          </li>
        )
      })}
    </ol>
  )
}
