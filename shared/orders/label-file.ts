/** The name under which the file of an airway bill is saved. */
export const labelFileName = (awb: string): string => `AWB-${awb}.pdf`
