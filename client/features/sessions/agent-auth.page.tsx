import { Link } from 'react-router-dom'
import { useTranslation } from '#client/platform/i18n.ts'
import { paths } from '#client/platform/paths.ts'
import { startOf } from '#client/ui/focus.ts'
import { Note } from '#client/ui/note.tsx'
import { HandedOverScene } from '#client/ui/scene.tsx'
import styles from './auth.module.css'
import { CodeDialog } from './code-dialog.tsx'
import { SignInForm, SignInLayout } from './sign-in-form.tsx'
import { useSignIn } from './use-sign-in.ts'
import { useSignInForm } from './use-sign-in-form.ts'

/** Login of the shipping partner's agents. The router redirects after sign-in. */
export function AgentAuthPage() {
  const { t } = useTranslation('sessions')
  const signIn = useSignIn('agent')
  const form = useSignInForm(signIn)

  return (
    <SignInLayout
      title={t('agent.title')}
      picture={<HandedOverScene />}
      over={<CodeDialog signIn={signIn} returnTo={() => startOf(form.form.element.current)} />}
    >
      <SignInForm form={form}>
        <p className={styles.intro}>{t('agent.intro')}</p>
        {/* Warns pilgrims who came here by mistake: their numbers cannot sign in on this page. */}
        <Note className={styles.notice}>
          <p>
            {t('agent.only')} <Link to={paths.auth}>{t('agent.pilgrims')}</Link>
          </p>
        </Note>
      </SignInForm>
    </SignInLayout>
  )
}
