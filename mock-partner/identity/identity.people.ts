/** People of the company, with one password for all. */
export const demoPassword = 'desk-demo'

export interface DeskPerson {
  readonly id: string
  readonly name: string
  /** As they are called on the page, in each language. */
  readonly texts: Readonly<
    Record<'ar' | 'en', { readonly name: string; readonly does: string; readonly role: string }>
  >
  readonly roles: readonly string[]
}

export const people: readonly DeskPerson[] = [
  {
    id: 'sara',
    name: 'سارة الحربي',
    roles: ['support'],
    texts: {
      ar: { name: 'سارة', does: 'ترد على المتصلين والبلاغات', role: 'الدعم' },
      en: { name: 'Sara', does: 'Answers callers and claims', role: 'Support' },
    },
  },
  {
    id: 'majed',
    name: 'ماجد العتيبي',
    roles: ['money'],
    texts: {
      ar: { name: 'ماجد', does: 'إعادة المبالغ والاعتراضات والمطابقة', role: 'المالية' },
      en: { name: 'Majed', does: 'Refunds, disputes, reconciliation', role: 'Finance' },
    },
  },
  {
    id: 'lulwa',
    name: 'لولوة القحطاني',
    roles: ['lead'],
    texts: {
      ar: { name: 'لولوة', does: 'توافق وتقرأ سجل التدقيق', role: 'المشرفة' },
      en: { name: 'Lulwa', does: 'Approves, reads the audit log', role: 'Lead' },
    },
  },
  {
    id: 'nasser',
    name: 'ناصر الشمري',
    roles: [],
    texts: {
      ar: { name: 'ناصر', does: 'موظف بلا صلاحية على المكتب', role: 'بلا دور' },
      en: { name: 'Nasser', does: 'An employee without a right to the desk', role: 'No role' },
    },
  },
]

export const findPerson = (id: unknown): DeskPerson | undefined => people.find((person) => person.id === id)
