export const labelFileName = (awb: string): string => `AWB-${awb}.pdf`
