import { Alert, Button, Form, type FormProps, Input, Radio } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { isCallProblem, problemText } from '#client/platform/call.ts'
import { useConnection } from '#client/platform/connection.ts'
import { useLanguage, useTranslation } from '#client/platform/i18n.ts'
import layout from '#client/ui/layout.module.css'
import { claimNumber, claimNumberIn } from '#shared/claims/claims.operations.ts'
import { fieldTexts } from '#shared/platform/platform.texts.ts'
import { reasonLength } from '#shared/platform/typed-text.ts'
import { DeskIcon } from './desk-icon.tsx'
import { Dialog } from './dialog.tsx'
import { draftOf, keepDraft } from './drafts.ts'
import { isSendKey } from './keys.ts'
import { useNotice } from './notices.tsx'
import { claimPath } from './pages.ts'
import { useSending } from './sending.ts'
import { useSignInAddress } from './sign-in-address.ts'

interface ActFormOptions<V, A> {
  /** The operator and the name of the form: its draft is kept under both until it is sent. */
  by: string
  name: string
  initial?: { readonly [K in keyof NoInfer<V>]?: V[K] | undefined }
  /** @param values without spaces around texts. @param key see `useSending` */
  act: (values: V, key: string) => Promise<A>
  onDone: (answer: A) => void
  /** Called when the server refused the act: the record on the page may have changed. */
  onRefused?: (() => void) | undefined
}

/**
 * The form of every act: it keeps its values as a draft, checks them, sends them once, and shows the faults that the server
 * names at their fields. The first fault gets the focus.
 */
export function useActForm<V extends object, A>({
  by,
  name,
  initial,
  act,
  onDone,
  onRefused,
}: ActFormOptions<V, A>) {
  const language = useLanguage()
  const isOffline = useConnection() === 'offline'
  const [form] = Form.useForm()
  const [values, setValues] = useState<Partial<V>>(() => ({ ...initial, ...draftOf(by, name) }))
  const [isChecked, setIsChecked] = useState(false)
  const keep = () => {
    const all: V = form.getFieldsValue(true)
    setValues(all)
    keepDraft(by, name, all)
  }
  const focus = (path: readonly (string | number)[]) => {
    const field = form.getFieldInstance(path)
    const target = field instanceof HTMLElement ? field.querySelector('input') : field
    target?.focus()
  }
  const { send, isPending, error } = useSending(act, {
    onSuccess(answer) {
      for (const field of Object.keys(values)) form.setFieldValue(field, undefined)
      form.setFieldsValue(initial)
      setValues({ ...initial })
      setIsChecked(false)
      keepDraft(by, name, {})
      onDone(answer)
    },
    onError(failure) {
      const faults = faultsOf(failure).filter(({ path }) => form.getFieldInstance(path) !== undefined)
      form.setFields(faults.map(({ path, message }) => ({ name: path, errors: [message] })))
      setIsChecked(true)
      if (faults[0]) focus(faults[0].path)
      if (isFinal(failure) || canRetryAfterRefresh(failure)) onRefused?.()
    },
  })
  const isOff = isOffline || isFinal(error)
  const props: FormProps = {
    form,
    // The ids of the form's elements begin with this name.
    name: name.replaceAll(/\W+/g, '-'),
    className: `${layout.stack} ${layout.gap3}`,
    layout: 'vertical',
    requiredMark: false,
    initialValues: values,
    // Fields are checked on change only after the first attempt to send.
    validateTrigger: isChecked ? 'onChange' : [],
    validateMessages: {
      required: fieldTexts.required?.[language] ?? '',
      enum: fieldTexts.required?.[language] ?? '',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: antd's placeholder
      string: { min: fieldTexts.minLength?.[language].replace('{{limit}}', '${min}') ?? '' },
    },
    onValuesChange: keep,
    onKeyDown: (event) => isSendKey(event) && form.submit(),
    onFinish: () => isOff || send(trimmed(form.getFieldsValue(true))),
    onFinishFailed({ errorFields: [first] }) {
      setIsChecked(true)
      if (first) focus(first.name)
    },
  }
  return {
    props,
    values,
    /** Sets fields from code, as if the operator had changed them. */
    change(changes: Partial<V>) {
      form.setFieldsValue(changes)
      keep()
    },
    submit: form.submit,
    isOff,
    isPending,
    error,
  }
}

export type ActForm = Omit<ReturnType<typeof useActForm>, 'change'>

const faultsOf = (error: unknown) =>
  (isCallProblem(error) ? error.fields : []).map(({ field, message }) => ({
    path: field.split('.'),
    message,
  }))

const trimmed = <V extends object>(values: V): V =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as V

/** The rule of a required text: spaces around it do not count. */
export const needed = (least = 1) => ({
  required: true,
  min: least,
  transform: (typed?: string) => typed?.trim(),
})

interface TextItemProps {
  name: string
  label: string
  length?: { least: number; most: number }
  rows?: number
}

/** A required text of several lines. */
export function TextItem({ name, label, length = reasonLength, rows = 3 }: TextItemProps) {
  return (
    <Form.Item name={name} label={label} rules={[needed(length.least)]}>
      <Input.TextArea rows={rows} maxLength={length.most} />
    </Form.Item>
  )
}

interface ChoiceItemProps {
  name: string
  label: string
  options: { value: string | number; label: string }[]
}

/** Radio buttons. The rule refuses a choice that an older draft contains but that is not offered now. */
export function ChoiceItem({ name, label, options }: ChoiceItemProps) {
  return (
    <Form.Item
      name={name}
      rules={[{ required: true, type: 'enum', enum: options.map(({ value }) => value) }]}
    >
      <Radio.Group vertical aria-label={label} options={options} />
    </Form.Item>
  )
}

interface ActDialogProps {
  form: ActForm
  title: string
  /** Text of the button, which names the act. */
  ok: string
  isDangerous?: boolean
  /** Text of the newest change since the dialog was opened. */
  changed?: string | undefined
  onClose: () => void
  /** A sentence about the effect of the act, and the fields. */
  children: ReactNode
}

/** Asks the operator to confirm an act: it shows the effect and the fields, and its button names the act. */
export function ActDialog({
  form,
  title,
  ok,
  isDangerous = false,
  changed,
  onClose,
  children,
}: ActDialogProps) {
  const { t } = useTranslation('desk')
  const body = useRef<HTMLDivElement>(null)
  return (
    <Dialog
      open
      title={title}
      okText={ok}
      okButtonProps={{ danger: isDangerous, disabled: form.isOff, loading: form.isPending }}
      cancelText={t('act.close')}
      onOk={form.submit}
      onCancel={onClose}
      afterOpenChange={(isOpen) =>
        isOpen && body.current?.querySelector<HTMLElement>('input, textarea')?.focus()
      }
    >
      <div ref={body}>
        <Form {...form.props}>
          {children}
          <ActState form={form} changed={changed} />
        </Form>
      </div>
    </Dialog>
  )
}

interface ReasonDialogProps<V, A> extends Omit<ActDialogProps, 'form' | 'changed'> {
  by: string
  name: string
  /** Label of the reason. */
  label: string
  act: (values: V, key: string) => Promise<A>
  /** Notice after the act is done. */
  done?: string
  /** Reads the page again, after the act and after a refusal. */
  refresh?: () => void
}

/** An act that needs a reason, after the fields among its children. */
export function ReasonDialog<V extends { reason: string }, A>({
  by,
  name,
  label,
  act,
  done,
  refresh,
  children,
  ...dialog
}: ReasonDialogProps<V, A>) {
  const showNotice = useNotice()
  const form = useActForm({
    by,
    name,
    act,
    onDone() {
      refresh?.()
      if (done !== undefined) showNotice(done)
      dialog.onClose()
    },
    onRefused: refresh,
  })
  return (
    <ActDialog form={form} {...dialog}>
      {children}
      <TextItem name="reason" label={label} />
    </ActDialog>
  )
}

interface ActStateProps {
  form: ActForm
  /** Text of the newest change since the operator began the form. */
  changed?: string | undefined
}

/** Notices below the fields: a change of the record, a missing connection, and why the act failed. */
export function ActState({ form: { props, error }, changed }: ActStateProps) {
  const { t } = useTranslation('desk')
  const isOffline = useConnection() === 'offline'
  return (
    <>
      {changed === undefined ? null : (
        <Alert type="warning" showIcon role="alert" title={t('act.changed', { what: changed })} />
      )}
      {isOffline ? <Alert type="info" title={t('act.offline')} /> : null}
      <ActProblem error={error} isAtField={(path) => props.form?.getFieldInstance(path) !== undefined} />
    </>
  )
}

/** True when a colleague has the row or the owner has written: once the page shows it, the operator can send again. */
export const canRetryAfterRefresh = (error: unknown): boolean =>
  isCallProblem(error) && ['WORK_TAKEN', 'DESK_CLAIM_UNREAD'].includes(error.code)

/** True when the server would refuse another press, too. */
export const isFinal = (error: unknown): boolean =>
  isCallProblem(error) && [403, 404, 409].includes(error.status) && !canRetryAfterRefresh(error)

interface ActProblemProps {
  error: unknown
  /** True when the field of a fault shows the fault already. */
  isAtField?: (path: string[]) => boolean
}

/** Shows why the act failed, and a link or button to continue if there is one. */
export function ActProblem({ error, isAtField = () => false }: ActProblemProps) {
  const { t } = useTranslation('desk')
  const again = useSignInAddress({ again: true })
  if (!error) return null
  if (isCallProblem(error) && error.code === 'REAUTHENTICATION_REQUIRED')
    return (
      <Alert
        type="info"
        showIcon
        icon={<DeskIcon name="lock" />}
        role="alert"
        title={t('act.again')}
        description={t('act.againText')}
        action={
          <Button href={again} type="primary">
            {t('act.againGo')}
          </Button>
        }
      />
    )
  const isRefusal = isCallProblem(error) && error.status >= 400 && error.status < 500
  const text = problemText(error)
  const claim = claimNumberIn(text)
  return (
    <Alert
      type={isRefusal ? 'warning' : 'error'}
      showIcon
      role="alert"
      title={text}
      action={
        claim === undefined ? null : (
          <Link to={claimPath(claim)}>{t('act.toClaim', { number: claimNumber(Number(claim)) })}</Link>
        )
      }
      description={faultsOf(error)
        .filter(({ path }) => !isAtField(path))
        .map(({ message }) => message)
        .join(' ')}
    />
  )
}
