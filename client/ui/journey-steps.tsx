import { useTranslation } from 'react-i18next'
import './journey-steps.css'
import './ui.texts.ts'

const steps = [
  { name: 'route', text: 'journey.route' },
  { name: 'review', text: 'journey.review' },
  { name: 'pay', text: 'journey.pay' },
  { name: 'label', text: 'journey.labelStep' },
] as const

type JourneyStep = (typeof steps)[number]['name']

/** Route → Review → Pay → Label, with the steps done and the current one marked. */
export function JourneySteps({ current }: { current: JourneyStep }) {
  const { t } = useTranslation('ui')
  const currentIndex = steps.findIndex((step) => step.name === current)
  return (
    <ol className="journey" aria-label={t('journey.label')}>
      {steps.map((step, index) => {
        const isDone = index < currentIndex
        const isCurrent = index === currentIndex
        return (
          <li
            key={step.name}
            className={`journey-step${isDone ? ' is-done' : ''}${isCurrent ? ' is-current' : ''}`}
            aria-current={isCurrent ? 'step' : undefined}
          >
            <span className="journey-mark" aria-hidden="true">
              {isDone ? <Tick /> : index + 1}
            </span>
            <span className="journey-name">{t(step.text)}</span>
            {isDone ? <span className="visually-hidden">{t('journey.done')}</span> : null}
          </li>
        )
      })}
    </ol>
  )
}

function Tick() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </svg>
  )
}
