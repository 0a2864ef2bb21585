import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  askToNotify,
  clearPush,
  mayNotify,
  readPushSupport,
  subscribeBrowser,
} from '#client/entities/push/browser-push.ts'
import { endPush, pushQuery, registerPush } from './account.queries.ts'
import { SwitchRow } from './switch-row.tsx'

/** What the user can do where the browser does not offer push messages. */
const texts = {
  offered: 'push.text',
  denied: 'push.denied',
  'home-screen': 'push.homeScreen',
  unsupported: 'push.unsupported',
} as const

/** Push messages about bags on this device, and the switch. Nothing where none are sent. */
export function PushRow({ isOver }: { readonly isOver: boolean }) {
  const { t } = useTranslation('account')
  const queries = useQueryClient()
  const push = useQuery({ ...pushQuery, enabled: !isOver })
  const change = useMutation({
    mutationFn: switchPush,
    onSettled: () => queries.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
  if (!push.data?.publicKey) return null
  const { publicKey } = push.data
  const support = readPushSupport()
  const isOffered = support === 'offered'
  const isOn = push.data.isOn && mayNotify()

  /** @returns why the browser did not subscribe. */
  async function switchPush(): Promise<string | undefined> {
    if (isOn) {
      await endPush()
      await clearPush()
      return undefined
    }
    if (!(await askToNotify())) return t('push.notAllowed')
    const subscription = await subscribeBrowser(publicKey).catch(() => undefined)
    if (subscription === undefined) return t('push.failed')
    await registerPush(subscription)
    return undefined
  }

  return (
    <SwitchRow
      title={t('push.title')}
      state={isOn ? t('push.on') : t('push.off')}
      text={t(texts[support])}
      error={isOffered ? (change.error ?? change.data) : undefined}
      isBusy={change.isPending}
      action={change.isPending ? t('push.switching') : isOn ? t('push.switchOff') : t('push.switchOn')}
      onSwitch={isOffered ? () => change.mutate() : undefined}
    />
  )
}
