/** The variables of a seller that is not configured. */
export const noSeller = {
  SELLER_NAME: undefined,
  SELLER_ADDRESS: undefined,
  SELLER_VAT_NUMBER: undefined,
  SELLER_CR_NUMBER: undefined,
  INVOICE_PHASE: undefined,
}
