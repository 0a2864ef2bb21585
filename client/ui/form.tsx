import { type ComponentProps, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { isCallProblem, problemText } from '#client/platform/call.ts'
import { dropDraft, hasDraft, keepDraft, readDraft } from '#client/platform/drafts.ts'
import { type KeyOf, useSingleMutation } from '#client/platform/single-mutation.ts'
import { classes } from './classes.ts'
import fieldStyles from './field.module.css'
import { Field } from './field.tsx'
import { focusFault, takeFocus } from './focus.ts'
import { useErrorTitle } from './page.tsx'

export type Faults<V> = { readonly [F in keyof V]?: string | undefined }

interface FormOptions<V extends object, D> {
  /** The fields as the form begins. */
  readonly values: V
  /** The name under which the typed values are kept until they are sent. */
  readonly draft?: string | undefined
  /** Faults that are shown at once, in the language on screen. */
  readonly limits?: (values: V) => Faults<V>
  /** Faults that are shown after a press, until the field is changed. */
  readonly check?: (values: V) => Faults<V>
  /** Loads what `check` needs. */
  readonly load?: () => Promise<unknown>
  /** The server's names of fields, where they are others. */
  readonly serverNames?: { readonly [F in keyof V]?: string }
  /** `keyOf` returns the key for an operation that takes an idempotency key. */
  readonly send: (values: V, keyOf: KeyOf) => Promise<D>
  /** Calls `run` to send, after a question for example, or not at all. It catches an error of `run`, which the form shows. */
  readonly within?: (run: () => Promise<unknown>) => Promise<unknown>
  readonly onSent?: (answer: D, values: V) => unknown
  /** `isRead`: the focus moved to the field, and a screen reader reads the message there. */
  readonly onRefused?: (message: string, isRead: boolean) => void
}

export type FormOf<V extends object> = ReturnType<typeof useForm<V, unknown>>

/** The state of a form: what is typed, what is wrong with it, and the request that sends it once. */
export function useForm<V extends object, D>(options: FormOptions<V, D>) {
  const {
    values: initial,
    draft,
    limits,
    check,
    load,
    serverNames,
    send,
    within,
    onSent,
    onRefused,
  } = options
  const element = useRef<HTMLFormElement>(null)
  const isAsking = useRef(false)
  const fields = Object.keys(initial) as (keyof V)[]
  const [state, setState] = useState(() => {
    const kept = draft === undefined ? undefined : readDraft(draft)?.values
    // A draft of an earlier version of the app may have another shape.
    const values = fits(kept, initial) ? { ...initial, ...(kept as V) } : initial
    return { values, isTyped: false, shown: [] as readonly (keyof V)[], error: null as unknown, refusals: 0 }
  })
  const { values, isTyped, shown, error, refusals } = state

  const serverFault = (field: keyof V) =>
    isCallProblem(error)
      ? error.fields.find((each) => each.field === (serverNames?.[field] ?? field))?.message
      : undefined
  const checked = shown.length > 0 ? check?.(values) : undefined
  const limited = limits?.(values)
  const faults: Partial<Record<keyof V, string>> = {}
  for (const field of fields) {
    const fault =
      limited?.[field] ?? (shown.includes(field) ? (checked?.[field] ?? serverFault(field)) : undefined)
    if (fault !== undefined) faults[field] = fault
  }
  const isAtField = fields.some((field) => serverFault(field) !== undefined)

  const isFaulty = (typed: V) =>
    [limits?.(typed), check?.(typed)].some((found) => fields.some((field) => found?.[field] !== undefined))
  const refuse = (failure: unknown) =>
    setState((before) => ({ ...before, shown: fields, error: failure, refusals: before.refusals + 1 }))

  const sending = useSingleMutation<D, V>({
    ...(draft !== undefined && {
      keptKey: { read: () => readDraft(draft)?.sent, write: (sent) => keepDraft(draft, { sent }) },
    }),
    async mutationFn(typed, keyOf) {
      await load?.()
      if (load !== undefined && isFaulty(typed)) throw new Faulty()
      return send(typed, keyOf)
    },
    onSuccess(answer, typed) {
      if (draft !== undefined) dropDraft(draft)
      return onSent?.(answer, typed)
    },
    onError: (failure) => refuse(failure instanceof Faulty ? null : failure),
  })

  const onRefusal = useEffectEvent(() => {
    const isRead = focusFault(element.current)
    const first = fields.find((field) => faults[field] !== undefined)
    onRefused?.(first === undefined ? problemText(error) : (faults[first] ?? ''), isRead)
  })
  useLayoutEffect(() => {
    if (refusals > 0) onRefusal()
  }, [refusals])
  useLayoutEffect(() => {
    if (isTyped && draft !== undefined) keepDraft(draft, { values })
  }, [isTyped, draft, values])

  return {
    element,
    values,
    faults,
    /** The reason why the form was not sent, when no field shows it. */
    problem: isAtField ? null : error,
    isSending: sending.isPending,
    isSent: sending.isSuccess,
    change: (typed: Partial<V>) =>
      setState((before) => ({
        ...before,
        values: { ...before.values, ...typed },
        isTyped: true,
        shown: before.shown.filter((field) => !(field in typed)),
        error: null,
      })),
    /** @param change for this request alone */
    send(change?: Partial<V>): void {
      if (sending.isPending) return
      const typed = { ...values, ...change }
      if (isFaulty(typed)) refuse(null)
      else {
        setState((before) => ({ ...before, error: null }))
        if (within === undefined) sending.mutate(typed)
        else if (!isAsking.current) {
          isAsking.current = true
          void within(() => sending.mutateAsync(typed)).finally(() => {
            isAsking.current = false
          })
        }
      }
    },
    /** Resets the form and deletes the typed values. */
    reset(): void {
      if (draft !== undefined) dropDraft(draft)
      setState({ values: initial, isTyped: false, shown: [], error: null, refusals: 0 })
      sending.reset()
    },
  }
}

/** The check found a fault after `load`. */
class Faulty extends Error {}

/** Whether a stored value has the fields of `like`, with values of the same types. */
function fits(stored: unknown, like: unknown): boolean {
  if (like === undefined) return true
  if (typeof like !== 'object' || like === null) return typeof stored === typeof like
  if (typeof stored !== 'object' || stored === null) return false
  return Object.entries(like).every(([name, value]) => fits((stored as Record<string, unknown>)[name], value))
}

interface FormProps extends Omit<ComponentProps<'form'>, 'ref' | 'onSubmit' | 'onKeyDown'> {
  readonly form: Pick<FormOf<object>, 'element' | 'faults' | 'isSending'> & {
    readonly send: (change?: undefined) => void
  }
  /** It appears after a press: its first field gets the focus. */
  readonly isOpened?: boolean
  /** In place of `form.send`. */
  readonly onSend?: () => void
  /** Escape. */
  readonly onCancel?: () => void
}

/** The element of a form. */
export function Form({ form, isOpened = false, onSend = () => form.send(), onCancel, ...rest }: FormProps) {
  useErrorTitle(Object.keys(form.faults).length > 0)
  const { element } = form
  useLayoutEffect(() => {
    if (isOpened) takeFocus(element.current)
  }, [isOpened, element])
  return (
    <form
      ref={form.element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !form.isSending) onCancel?.()
      }}
      {...rest}
    />
  )
}

export interface TextFieldProps<N extends string>
  extends Omit<ComponentProps<'input'>, 'form' | 'name' | 'value' | 'onChange'> {
  readonly form: Pick<FormOf<Record<N, string>>, 'values' | 'faults' | 'change'>
  readonly name: N
  readonly label: string
  readonly hint?: string
}

/** A line of text with its label and its fault. */
export function TextField<N extends string>({
  form,
  name,
  label,
  hint,
  className,
  ...rest
}: TextFieldProps<N>) {
  return (
    <Field label={label} hint={hint} error={form.faults[name]}>
      {(control) => (
        <input
          {...control}
          name={name}
          className={classes(fieldStyles.input, className)}
          value={form.values[name]}
          onChange={({ target }) => form.change({ [name]: target.value } as Record<N, string>)}
          {...rest}
        />
      )}
    </Field>
  )
}

/**
 * A form that a button opens in its own place. A draft opens the form again after a reload. Around both stands a `focusPlace`.
 * `isOpened`: it was open where this part stood before.
 */
export function useFormInPlace(draft: string, onOpen?: (isOpen: boolean) => void, isOpened = false) {
  const [shown, setShown] = useState(() => (isOpened ? 'pressed' : hasDraft(draft) ? 'kept' : undefined))
  const [news, setNews] = useState('')
  const reportDraft = useEffectEvent(() => {
    if (shown === 'kept') onOpen?.(true)
  })
  useEffect(() => reportDraft(), [])

  function show(isShown: boolean, text = ''): void {
    setNews(text)
    setShown(isShown ? 'pressed' : undefined)
    onOpen?.(isShown)
  }

  return {
    isOpen: shown !== undefined,
    /** For `Form`: a draft that opens it with the page takes no focus. */
    isPressed: shown === 'pressed',
    news,
    open: () => show(true),
    close: (text?: string) => show(false, text),
  }
}
