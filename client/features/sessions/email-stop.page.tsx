import { useParams } from 'react-router-dom'
import { call, isCallProblem } from '#client/platform/call.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import buttonStyles from '#client/ui/button.module.css'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { classes } from '#client/ui/classes.ts'
import layout from '#client/ui/layout.module.css'
import { Page } from '#client/ui/page.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { stopEmail } from '#shared/sessions/emails.operations.ts'
import styles from './auth.module.css'

/**
 * The page behind the link in the e-mail to a new address. Opening the page changes nothing, because mail programs open links,
 * too: only the button acts. No session is needed.
 */
export function EmailStopPage() {
  const { t } = useTranslation('emails')
  const { token = '' } = useParams()
  const stop = useSingleMutation({ mutationFn: () => call(stopEmail, { body: { token } }) })
  const hasEnded = isCallProblem(stop.error) && stop.error.status < 500 && stop.error.status >= 400
  return (
    <Page title={t('stop.title')}>
      <div className={classes(layout.stack, layout.gap4, styles.form)}>
        {stop.isSuccess ? (
          <p role="status">{t('stop.done')}</p>
        ) : (
          <>
            {hasEnded ? null : (
              <>
                <p className={styles.intro}>{t('stop.text')}</p>
                <p className={styles.intro}>{t('stop.effect')}</p>
              </>
            )}
            <Problem error={stop.error} />
          </>
        )}
        <div className={buttonStyles.dock}>
          {stop.isSuccess || hasEnded ? (
            <ButtonLink isWide to={paths.home}>
              {t('stop.home')}
            </ButtonLink>
          ) : (
            <Button look="primary" isWide isBusy={stop.isPending} onClick={() => stop.mutate()}>
              {stop.isPending ? t('stop.removing') : t('stop.remove')}
            </Button>
          )}
        </div>
      </div>
    </Page>
  )
}
