import { Modal, type ModalProps } from 'antd'
import { useEffect, useState } from 'react'
import styles from './dialog.module.css'
import { focusKeeper } from './keys.ts'

/** Its buttons stand apart also one below the other. */
const footer = { display: 'flex', flexWrap: 'wrap', justifyContent: 'end', rowGap: 8 } as const

/** antd's dialog. It does not keep the page behind it from scrolling: that writes a style sheet which the policy refuses. */
export function Dialog(props: Omit<ModalProps, 'className' | 'styles'>) {
  // antd gives the focus back only where the dialog stays, closed, and holds it until all effects have ended.
  const [giveBack] = useState(focusKeeper)
  useEffect(() => () => queueMicrotask(giveBack), [giveBack])
  return <Modal className={styles.dialog ?? ''} styles={{ footer }} scrollLock={false} {...props} />
}
