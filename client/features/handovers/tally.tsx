import { useTally } from '#client/entities/handover/use-tally.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import styles from './handovers.module.css'

/** What the agent has received today, and what still waits. */
export function Tally({ agentId }: { readonly agentId: number }) {
  const { t } = useTranslation('handovers')
  const { today, waiting, unsent } = useTally(agentId)
  const second = unsent > 0 ? unsent : waiting
  return (
    <p className={classes(layout.cluster, styles.tally)} data-screen>
      <span>
        <b>{today}</b> <span>{t('tally.today')}</span>
      </span>
      {second === undefined ? null : (
        <span>
          <b>{second}</b> <span>{t(unsent > 0 ? 'tally.unsent' : 'tally.waiting')}</span>
        </span>
      )}
    </p>
  )
}
