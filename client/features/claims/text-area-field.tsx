import type { ComponentProps } from 'react'
import { classes } from '#client/ui/classes.ts'
import fieldStyles from '#client/ui/field.module.css'
import { Field } from '#client/ui/field.tsx'
import type { TextFieldProps } from '#client/ui/form.tsx'
import styles from './claims.module.css'

interface TextAreaFieldProps<N extends string>
  extends Omit<ComponentProps<'textarea'>, 'form' | 'name' | 'value' | 'onChange'> {
  readonly form: TextFieldProps<N>['form']
  readonly name: N
  readonly label: string
}

/** Lines of text with their label and their fault. */
export function TextAreaField<N extends string>({ form, name, label, ...rest }: TextAreaFieldProps<N>) {
  return (
    <Field label={label} error={form.faults[name]}>
      {(control) => (
        <textarea
          {...control}
          name={name}
          className={classes(fieldStyles.input, styles.lines)}
          dir="auto"
          value={form.values[name]}
          onChange={({ target }) => form.change({ [name]: target.value } as Record<N, string>)}
          {...rest}
        />
      )}
    </Field>
  )
}
