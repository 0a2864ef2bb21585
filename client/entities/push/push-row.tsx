import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#client/platform/i18n.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { SwitchRow } from '#client/ui/switch-row.tsx'
import { askToNotify, clearPush, mayNotify, readPushSupport, subscribeBrowser } from './browser-push.ts'
import { endPush, pushQuery, registerPush, usePush } from './push.queries.ts'

/** The text for each level of support: it names what the user can do without push messages. */
const texts = {
  offered: 'text',
  denied: 'denied',
  'home-screen': 'homeScreen',
  unsupported: 'unsupported',
} as const

/** Whether this device gets push messages about bags, and the switch; undefined when the server sends no push messages. */
function usePushSwitch(isEnabled: boolean) {
  const { t } = useTranslation('push')
  const queries = useQueryClient()
  const push = usePush(isEnabled)
  const change = useSingleMutation({
    mutationFn: switchPush,
    onSettled: () => queries.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
  if (push === undefined) return undefined
  const { publicKey } = push
  const support = readPushSupport()
  const isOffered = support === 'offered'
  const isOn = push.isOn && mayNotify()

  /** @returns why the browser did not subscribe. */
  async function switchPush(): Promise<string | undefined> {
    if (isOn) {
      await endPush()
      await clearPush()
      return undefined
    }
    if (!(await askToNotify())) return t('notAllowed')
    const subscription = await subscribeBrowser(publicKey).catch(() => undefined)
    if (subscription === undefined) return t('failed')
    await registerPush(subscription)
    return undefined
  }

  return {
    isOn,
    isOffered,
    support,
    isBusy: change.isPending,
    error: isOffered ? (change.error ?? change.data) : undefined,
    change: () => change.mutate(),
  }
}

/** The switch of push messages. Renders nothing when the server sends none. */
export function PushRow({ isOver }: { readonly isOver: boolean }) {
  const { t } = useTranslation('push')
  const push = usePushSwitch(!isOver)
  if (push === undefined) return null
  const { isOn, isOffered, support, isBusy, error, change } = push
  return (
    <SwitchRow
      title={t('title')}
      state={isOn ? t('on') : t('off')}
      text={t(texts[support])}
      error={error}
      isBusy={isBusy}
      action={isBusy ? t('switching') : isOn ? t('switchOff') : t('switchOn')}
      onSwitch={isOffered ? change : undefined}
    />
  )
}
