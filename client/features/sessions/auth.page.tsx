import { useId } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useDaysText } from '#client/entities/promise/days-text.ts'
import { LuggageTag } from '#client/entities/tag/luggage-tag.tsx'
import { TagFact } from '#client/entities/tag/tag-parts.tsx'
import { formatMoney } from '#client/platform/format.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { startOf } from '#client/ui/focus.ts'
import { TextField } from '#client/ui/form.tsx'
import layout from '#client/ui/layout.module.css'
import { Note } from '#client/ui/note.tsx'
import { fare, maxWeightKg } from '#shared/checkout/checkout.operations.ts'
import { brand } from '#shared/platform/brand.ts'
import { transitDaysOverall } from '#shared/platform/promises.rules.ts'
import styles from './auth.module.css'
import { CodeDialog } from './code-dialog.tsx'
import type { Mode } from './sign-in.rules.ts'
import { SignInForm, SignInLayout } from './sign-in-form.tsx'
import { useSignIn } from './use-sign-in.ts'
import { useSignInForm } from './use-sign-in-form.ts'

/** Login and sign-up of users. The router redirects after sign-in. */
export function AuthPage() {
  const { t } = useTranslation('sessions')
  const signIn = useSignIn('user')
  const { mode } = signIn
  const page = useSignInForm(signIn)
  const { form, mustFinish } = page

  return (
    <SignInLayout
      title={mode === 'login' ? t('login.title') : t('signup.title')}
      picture={<OfferTag receiver={mode === 'signup' ? form.values.name.trim() : ''} />}
      over={<CodeDialog signIn={signIn} returnTo={() => startOf(form.element.current)} />}
    >
      <SignInForm form={page} phoneHint={t('phoneHint')} below={mode === 'login' ? <RecoveryLink /> : null}>
        {mustFinish ? (
          <Note className={styles.notice}>{t('signup.newNumber')}</Note>
        ) : (
          <p className={styles.intro}>{t(mode === 'login' ? 'login.intro' : 'signup.intro')}</p>
        )}
        <ModeToggle mode={mode} onChoose={page.chooseMode} />
        {mode === 'signup' ? (
          <TextField form={form} name="name" label={t('name')} autoComplete="name" dir="auto" />
        ) : null}
      </SignInForm>
    </SignInLayout>
  )
}

/** The link for users who lost their number, shown only when accounts can have an e-mail address. */
function RecoveryLink() {
  const { t } = useTranslation('emails')
  const [query] = useSearchParams()
  if (!useConfig()?.hasEmail) return null
  return (
    <p>
      <Link to={paths.recoverThen(query.get('next') ?? paths.orders)}>{t('recovery.link')}</Link>
    </p>
  )
}

/** The price of a bag and its usual days; a name appears on it while the user types it. */
function OfferTag({ receiver }: { readonly receiver: string }) {
  const { t } = useTranslation('sessions')
  const { t: ofPromise } = useTranslation('promise')
  const language = useLanguage()
  const daysText = useDaysText()
  const promises = useConfig()?.promises
  const days = promises && transitDaysOverall(promises)
  return (
    <LuggageTag
      ear={
        <>
          <span>{t('pass.bag')}</span>
          <span>{t('pass.upTo', { weight: maxWeightKg })}</span>
        </>
      }
      band={
        <p className={styles.offer}>
          {days === undefined ? brand.description[language] : ofPromise('usually', { days: daysText(days) })}
        </p>
      }
      facts={
        <>
          <TagFact name={t('pass.price')}>{formatMoney(fare.baseHalalas, language)}</TagFact>
          {receiver === '' ? null : (
            <TagFact name={t('pass.receiver')}>
              <bdi>{receiver}</bdi>
            </TagFact>
          )}
        </>
      }
      stub={<p>{t('pass.barcode')}</p>}
    />
  )
}

interface ModeToggleProps {
  mode: Mode
  onChoose: (mode: Mode) => void
}

function ModeToggle({ mode, onChoose }: ModeToggleProps) {
  const { t } = useTranslation('sessions')
  const group = useId()
  return (
    <fieldset className={`${layout.grid} ${styles.modeToggle}`}>
      <legend className="visually-hidden">{t('mode.label')}</legend>
      <label className={`${layout.grid} ${styles.modeChoice}`}>
        <input type="radio" name={group} checked={mode === 'login'} onChange={() => onChoose('login')} />
        <span className={`${layout.line} ${styles.modeText}`}>{t('mode.login')}</span>
      </label>
      <label className={`${layout.grid} ${styles.modeChoice}`}>
        <input type="radio" name={group} checked={mode === 'signup'} onChange={() => onChoose('signup')} />
        <span className={`${layout.line} ${styles.modeText}`}>{t('mode.signup')}</span>
      </label>
    </fieldset>
  )
}
