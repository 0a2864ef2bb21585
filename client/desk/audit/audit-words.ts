import type { ParseKeys } from 'i18next'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import { approvalActNames } from '#shared/desk/actions/actions.names.ts'
import { auditActionNames } from '#shared/desk/audit/audit.names.ts'
import { messageNames } from '#shared/messages/messages.names.ts'
import { approvalActs } from '#shared/platform/desk-words.ts'
import type { Names } from '#shared/platform/language.ts'

const isIn = <T extends string>(list: readonly T[], word: string | undefined): word is T =>
  list.some((each) => each === word)

/** Every kind that the audit can be filtered by. */
export const auditActions: readonly string[] = Object.keys(auditActionNames)

const actions: Names<string> = auditActionNames
const partsOfChanges: Names<string> = { ...messageNames, ...approvalActNames }

/** Reasons that the desk writes itself when no operator gave one. */
const reasons: Readonly<Record<string, ParseKeys<'desk-audit'>>> = {
  'the session ended': 'why.session-over',
  'another person signed in': 'why.other-person',
  'by the identity provider': 'why.provider',
}

/** Translates the stored words of the audit. An unknown word of a newer server is shown unchanged. */
export function useAuditWords() {
  const { t } = useTranslation('desk-audit')
  const { t: desk } = useTranslation('desk')
  const language = useLanguage()

  const actionName = (action: string): string => actions[action]?.[language] ?? action

  function aboutText(about: string, action: string): string {
    if (action === 'worker-paused' || action === 'worker-resumed')
      return t(`name.${about}`, { ns: 'desk-workers', defaultValue: about })
    if (/^(centers|agents|desk)$/.test(about)) return t(`aboutOf.${about}`, { defaultValue: about })
    const [, list, id] = /^([a-z]+) (\w+)$/.exec(about) ?? []
    if (list !== undefined && action.startsWith('work-'))
      return t('aboutOf.work', { list: desk(`menuOf.${list}`, { defaultValue: list }), id })
    const [, number, photo] = /^(CL-\d+), photograph (\d)$/.exec(about) ?? []
    if (number !== undefined) return t('aboutOf.photo', { number, photo })
    const [, awb] = /^hand-over of (\d+)$/.exec(about) ?? []
    if (awb !== undefined) return t('aboutOf.handover', { awb })
    const [, approval, act] = /^approval (\d+)(?:, ([a-z-]+))?$/.exec(about) ?? []
    if (approval !== undefined)
      return isIn(approvalActs, act)
        ? t('aboutOf.approvalOf', { id: approval, act: approvalActNames[act][language] })
        : t('aboutOf.approval', { id: approval })
    const [, rows] = /^(\d+) orders$/.exec(about) ?? []
    return rows === undefined ? about : t('aboutOf.rows', { rows })
  }

  function reasonText(reason: string): string {
    const ours = reasons[reason]
    return ours === undefined ? reason : t(ours)
  }

  /** Translates the stored name of a change, for example `inquiry of AM-1` or `message 4, paid`. */
  function changeName(name: string): string {
    const [, kind, of = ''] = /^(inquiry of|refund of|shipment|message|approval|stop) (.+)$/.exec(name) ?? []
    const [number, word] = of.split(', ')
    const which = word === undefined ? of : `${number}, ${partsOfChanges[word]?.[language] ?? word}`
    return t(`changeOf.${(kind ?? name).replaceAll(' ', '-')}`, { which, defaultValue: name })
  }

  /** Text of a changed value. The outcome of an approval and a refused page view are translated. */
  function valueText(name: string, value: string): string {
    if (name === 'view') return actionName(value)
    return name === 'outcome' ? t(`outcomeOf.${value}`, { defaultValue: value }) : value
  }

  return { actionName, aboutText, reasonText, changeName, valueText }
}
