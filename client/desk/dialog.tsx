import { Modal, type ModalProps } from 'antd'
import { useEffect, useState } from 'react'
import styles from './dialog.module.css'
import { focusKeeper } from './keys.ts'

/** The buttons keep a gap when they wrap onto several lines. */
const footer = { display: 'flex', flexWrap: 'wrap', justifyContent: 'end', rowGap: 8 } as const

/** antd's dialog without its scroll lock, which writes a style sheet that the content policy refuses. */
export function Dialog(props: Omit<ModalProps, 'className' | 'styles'>) {
  // antd returns the focus only when a closed dialog stays mounted, and it keeps the focus until all effects have run.
  const [giveBack] = useState(focusKeeper)
  useEffect(() => () => queueMicrotask(giveBack), [giveBack])
  return <Modal className={styles.dialog ?? ''} styles={{ footer }} scrollLock={false} {...props} />
}
