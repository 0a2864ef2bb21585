import { useTranslation } from 'react-i18next'

/** While the code service is simulated nobody's phone rings; without this people would wait for a message. */
export function DemoHint() {
  const { t } = useTranslation('sessions')
  return <p className="auth-demo">{t('demo')}</p>
}
