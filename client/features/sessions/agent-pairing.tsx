import { useQuery } from '@tanstack/react-query'
import { useConfig } from '#client/entities/config/use-config.ts'
import { useTranslation } from '#client/platform/i18n.ts'
import { Button } from '#client/ui/button.tsx'
import layout from '#client/ui/layout.module.css'
import { Ltr } from '#client/ui/ltr.tsx'
import styles from './agent-pairing.module.css'
import { ContactLinks } from './contact-links.tsx'
import type { CurrentLimit } from './limit-notice.tsx'
import { pairingQuery } from './sign-in.queries.ts'
import type { SignIn } from './sign-in.rules.ts'

/** Limits of one number: strangers can reach them, because agents' numbers are public. */
const ofNumber: readonly string[] = ['TOO_MANY_CODES', 'TOO_MANY_WRONG_CODES']

interface AgentPairingProps {
  readonly signIn: Pick<SignIn, 'role'>
  readonly limit: CurrentLimit | undefined
  readonly isBusy: boolean
  /** Requests a code although the limit has not ended. */
  readonly onSend: () => void
}

/**
 * Help for an agent when strangers have used up the codes of the agent's number: a colleague at the desk can admit this device by
 * the pairing number shown here.
 */
export function AgentPairing({ signIn: { role }, limit, isBusy, onSend }: AgentPairingProps) {
  const { t } = useTranslation('sessions')
  const contact = useConfig()?.contact
  const isAsked = role === 'agent' && limit !== undefined && ofNumber.includes(limit.limit.code)
  const { data } = useQuery({ ...pairingQuery(limit?.limit.phone ?? ''), enabled: isAsked })
  if (!isAsked || data?.pairing == null) return null
  const { pairing } = data
  return (
    <div className={`${layout.stack} ${layout.gap3} ${styles.pairing}`} role="status">
      <p>{t('pairing.call')}</p>
      {contact === undefined ? null : (
        <p>
          <ContactLinks contact={contact} />
        </p>
      )}
      <p className={styles.number}>
        <Ltr>{`${pairing.slice(0, 3)} ${pairing.slice(3)}`}</Ltr>
      </p>
      <p>{t('pairing.then')}</p>
      <Button isWide isBusy={isBusy} onClick={onSend}>
        {t('pairing.send')}
      </Button>
    </div>
  )
}
