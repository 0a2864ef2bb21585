import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  askToNotify,
  clearPush,
  mayNotify,
  readPushSupport,
  subscribeBrowser,
} from '#client/entities/push/browser-push.ts'
import { endPush, pushQuery, registerPush } from './account.queries.ts'
import { Problem } from './problem.tsx'
import './account.css'
import './account.texts.ts'
import '#client/ui/buttons.css'

/** What the user can do where the browser does not offer push messages. */
const obstacles = {
  denied: 'push.denied',
  'home-screen': 'push.homeScreen',
  unsupported: 'push.unsupported',
} as const

/** Push messages about bags on this device, and the switch. Nothing where none are sent. */
export function PushRow({ isOver }: { readonly isOver: boolean }) {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const textId = useId()
  const push = useQuery({ ...pushQuery, enabled: !isOver })
  const change = useMutation({
    mutationFn: switchPush,
    onSettled: () => queries.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
  if (!push.data?.publicKey) return null
  const { publicKey } = push.data
  const support = readPushSupport()
  const isOn = push.data.isOn && mayNotify()

  async function switchPush(): Promise<void> {
    if (isOn) {
      await endPush()
      return clearPush()
    }
    if (!(await askToNotify())) throw new Error(t('push.notAllowed'))
    const subscription = await subscribeBrowser(publicKey).catch(() => {
      throw new Error(t('push.failed'))
    })
    await registerPush(subscription)
  }

  return (
    <div className="account-row">
      <div className="account-pair">
        <dl className="account-pair">
          <dt>{t('push.title')}</dt>
          <dd role="status">{isOn ? t('push.on') : t('push.off')}</dd>
        </dl>
        <p id={textId} className="account-quiet">
          {support === 'offered' ? t('push.text') : t(obstacles[support])}
        </p>
        {change.isError && support === 'offered' ? <Problem error={change.error} /> : null}
      </div>
      {support === 'offered' ? (
        <button
          type="button"
          className="button button-quiet"
          aria-describedby={textId}
          aria-disabled={change.isPending}
          onClick={() => {
            if (!change.isPending) change.mutate()
          }}
        >
          {change.isPending ? t('push.switching') : isOn ? t('push.switchOff') : t('push.switchOn')}
        </button>
      ) : null}
    </div>
  )
}
