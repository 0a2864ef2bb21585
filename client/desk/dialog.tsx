import { Modal, type ModalProps } from 'antd'

/** antd's dialog. It does not keep the page behind it from scrolling: that writes a style sheet which the policy refuses. */
export function Dialog(props: ModalProps) {
  return <Modal scrollLock={false} {...props} />
}
