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

  const approvalText = (id: string | undefined, act: string | undefined): string =>
    isIn(approvalActs, act)
      ? t('aboutOf.approvalOf', { id, act: approvalActNames[act][language] })
      : t('aboutOf.approval', { id })

  /** The forms in which the server stores what an act was about. */
  const aboutForms: readonly (readonly [form: RegExp, text: (parts: readonly string[]) => string])[] = [
    [/^(?:centers|agents|desk)$/, ([about = '']) => t(`aboutOf.${about}`, { defaultValue: about })],
    [/^(CL-\d+), photograph (\d)$/, ([, number, photo]) => t('aboutOf.photo', { number, photo })],
    [/^hand-over of (\d+)$/, ([, awb]) => t('aboutOf.handover', { awb })],
    [/^approval (\d+)(?:, ([a-z-]+))?$/, ([, id, act]) => approvalText(id, act)],
    [/^(\d+) orders$/, ([, rows]) => t('aboutOf.rows', { rows })],
  ]

  function aboutText(about: string, action: string): string {
    if (action === 'worker-paused' || action === 'worker-resumed')
      return t(`name.${about}`, { ns: 'desk-workers', defaultValue: about })
    const [, list, id] = /^([a-z]+) (\w+)$/.exec(about) ?? []
    if (list !== undefined && action.startsWith('work-'))
      return t('aboutOf.work', { list: desk(`menuOf.${list}`, { defaultValue: list }), id })
    for (const [form, text] of aboutForms) {
      const parts = form.exec(about)
      if (parts) return text(parts)
    }
    return about
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
