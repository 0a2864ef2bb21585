// The card form inside the frame. It exchanges messages with the embedding page only through the widget's channel and
// only with the origin the widget named.

const channel = 'mock-payment-widget'

const texts = {
  ar: {
    banner: 'تجربة: لا تُخصم أي مبالغ، ولا تُدخل بيانات بطاقة حقيقية',
    holder: 'الاسم على البطاقة',
    number: 'رقم البطاقة',
    expiry: 'تاريخ الانتهاء',
    cvv: 'رمز الأمان (CVV)',
    pay: 'ادفع',
    cancel: 'إلغاء',
    cards: 'بطاقات التجربة (اضغط لتعبئة النموذج)',
    more: 'حالات أخرى للتجربة',
    paying: 'جارٍ الدفع…',
    silent: 'تم الدفع، ولن تعلم الصفحة بذلك. أغلق الصفحة أو حدّثها.',
    unreachable: 'تعذّر الاتصال. حاول مرة أخرى.',
    challengeTitle: 'تأكيد العملية لدى البنك (تجربة)',
    challengeText: 'يطلب البنك تأكيد هذه العملية. اختر النتيجة.',
    challengePass: 'تأكيد العملية',
    challengeFail: 'رفض العملية',
    holderError: 'اكتب الاسم كما هو على البطاقة.',
    numberError: 'تحقق من رقم البطاقة.',
    expiryError: 'اكتب الشهر والسنة، مثل 01/39، على ألا تكون البطاقة منتهية.',
    cvvError: 'اكتب الأرقام الثلاثة أو الأربعة خلف البطاقة.',
    closed: {
      paid: 'هذه العملية مدفوعة.',
      pending: 'هذه العملية قيد المعالجة.',
      refunded: 'استُرد مبلغ هذه العملية.',
      voided: 'أُلغيت هذه العملية.',
      expired: 'انتهت صلاحية رابط الدفع. ابدأ الدفع من جديد.',
      unknown: 'رابط الدفع غير صالح.',
    },
  },
  en: {
    banner: 'TEST: nothing is charged. Do not enter a real card.',
    holder: 'Name on card',
    number: 'Card number',
    expiry: 'Expiry date',
    cvv: 'Security code',
    pay: 'Pay',
    cancel: 'Cancel',
    cards: 'Test cards (press one to fill the form)',
    more: 'More cases to test',
    paying: 'Paying…',
    silent: 'Paid, and the page will not hear of it. Close or reload the page.',
    unreachable: 'No connection. Try again.',
    challengeTitle: 'Confirm with your bank (test)',
    challengeText: 'The bank asks to confirm this payment. Choose the result.',
    challengePass: 'Confirm payment',
    challengeFail: 'Reject payment',
    holderError: 'Enter the name as it is on the card.',
    numberError: 'Check the card number.',
    expiryError: 'Enter month and year, like 01/39, of a card that has not expired.',
    cvvError: 'Enter the three or four digits on the back of the card.',
    closed: {
      paid: 'This payment is already made.',
      pending: 'This payment is being processed.',
      refunded: 'This payment was refunded.',
      voided: 'This payment was voided.',
      expired: 'This payment link has expired. Start the payment again.',
      unknown: 'This payment link is not valid.',
    },
  },
}

const query = new URLSearchParams(window.location.search)
const language = query.get('lang') === 'ar' ? 'ar' : 'en'
const text = texts[language]
const account = { publicKey: query.get('publicKey') ?? '', clientSecret: query.get('clientSecret') ?? '' }
const page = query.get('parent') ?? ''

const $ = (id) => document.getElementById(id)
const fields = ['holder', 'number', 'expiry', 'cvv']
let isBusy = false
let wasValid = false
let payText = text.pay

function post(message) {
  if (page !== '') window.parent.postMessage({ channel, ...message }, page)
}

// ---- Reading the form

/** Digits of every script count. Each script has its ten one after the other, some a second ten right behind them. */
function latinDigit(digit) {
  const point = digit.codePointAt(0)
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before += 1
  return String(before % 10)
}
const fold = (value) => value.replace(/(?![0-9])\p{Nd}/gu, latinDigit)
const digitsOf = (value) => fold(value).replace(/\D/g, '')

function passesLuhn(digits) {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function isFutureMonth(expiry) {
  const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(expiry) ?? []
  return month !== undefined && new Date(2000 + Number(year), Number(month), 1) > new Date()
}

function readCard() {
  const expiryDigits = digitsOf($('expiry').value)
  return {
    holder: $('holder').value.trim(),
    number: digitsOf($('number').value),
    expiry: expiryDigits.length === 4 ? `${expiryDigits.slice(0, 2)}/${expiryDigits.slice(2)}` : '',
    cvv: digitsOf($('cvv').value),
  }
}

function isFilled(card, field) {
  if (field === 'holder') return card.holder.length > 1
  if (field === 'number')
    return card.number.length >= 12 && card.number.length <= 19 && passesLuhn(card.number)
  if (field === 'expiry') return isFutureMonth(card.expiry)
  return card.cvv.length === 3 || card.cvv.length === 4
}

function reportValidity() {
  const card = readCard()
  const isValid = fields.every((field) => isFilled(card, field))
  if (isValid === wasValid) return
  wasValid = isValid
  post({ type: 'validity', isValid })
}

function showError(field, isWrong) {
  $(field).setAttribute('aria-invalid', String(isWrong))
  $(`${field}-error`).textContent = isWrong ? text[`${field}Error`] : ''
  $(`${field}-error`).hidden = !isWrong
}

function showErrors() {
  const card = readCard()
  const wrong = fields.filter((field) => !isFilled(card, field))
  for (const field of fields) showError(field, wrong.includes(field))
  if (wrong.length > 0) $(wrong[0]).focus()
  return wrong.length === 0
}

// ---- Showing

function showNotice(message) {
  $('notice').textContent = message
  $('notice').hidden = message === ''
}

function setBusy(busy) {
  isBusy = busy
  for (const control of document.querySelectorAll('button, input')) control.disabled = busy
  $('status').textContent = busy ? text.paying : ''
  $('form').setAttribute('aria-busy', String(busy))
}

function show(part) {
  $('columns').hidden = part !== 'form'
  $('challenge').hidden = part !== 'challenge'
  $('closed').hidden = part !== 'closed'
}

function close(reason) {
  $('closed').textContent = text.closed[reason] ?? text.closed.unknown
  show('closed')
}

function fillCard(number, details) {
  $('holder').value = details.holder
  $('number').value = number.replace(/(.{4})(?=.)/g, '$1 ')
  $('expiry').value = details.expiry
  $('cvv').value = details.cvv
  for (const field of fields) showError(field, false)
  showNotice('')
  reportValidity()
}

function cardButton(card, details) {
  const button = document.createElement('button')
  button.type = 'button'
  const number = document.createElement('small')
  number.dir = 'ltr'
  number.textContent = card.number.replace(/(.{4})(?=.)/g, '$1 ')
  button.append(card.label[language], number)
  button.addEventListener('click', () => fillCard(card.number, details))
  return button
}

async function showCards() {
  const details = await fetchJson('cards')
  const buttons = details.cards.map((card) => cardButton(card, details))
  const isFirst = (_button, index) => [0, 2, 3].includes(index)
  $('first-cards').append(...buttons.filter(isFirst))
  $('more-cards').append(...buttons.filter((button, index) => !isFirst(button, index)))
}

// ---- Calls to the provider

async function fetchJson(address, options) {
  const answer = await fetch(address, options)
  const body = await answer.json()
  if (!answer.ok) throw Object.assign(new Error('refused'), { reason: body.error ?? 'unknown' })
  return body
}

async function loadIntention() {
  const address = `../v1/intention/element/${encodeURIComponent(account.publicKey)}/${encodeURIComponent(account.clientSecret)}/`
  try {
    const intention = await fetchJson(address)
    if (intention.error !== undefined) return close(intention.error)
    const amount = new Intl.NumberFormat(language === 'ar' ? 'ar-u-nu-latn' : 'en', {
      style: 'currency',
      currency: intention.intention_detail.currency,
    }).format(intention.intention_detail.amount / 100)
    payText = `${query.get('button') ?? text.pay} ${amount}`
    $('pay').textContent = payText
    show('form')
  } catch (error) {
    if (error.reason === undefined) return closeUnreachable()
    close(error.reason)
  }
}

function closeUnreachable() {
  $('closed').textContent = text.unreachable
  show('closed')
}

async function pay(challenge) {
  const { number, expiry } = readCard()
  try {
    const answer = await fetchJson('pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...account, number, expiry, challenge }),
    })
    finish(answer)
  } catch (error) {
    setBusy(false)
    show('form')
    if (error.reason === undefined) showNotice(text.unreachable)
    else if (obstacles[error.reason] === undefined) close(error.reason)
    else handOver(...obstacles[error.reason])
  }
}

function finish(answer) {
  switch (answer.kind) {
    case 'challenge':
      setBusy(false)
      show('challenge')
      $('challenge-title').focus()
      return
    case 'declined':
      return handOver(400, { message: answer.message })
    case 'refused':
      return handOver(answer.status, answer.data)
    case 'silence':
      $('status').textContent = text.silent
      return
    case 'ended':
      handOver(200, answer.query, answer.redirectUrl)
  }
}

/** Posts the outcome to the embedding page, which has the texts. */
function handOver(status, data, redirectUrl) {
  setBusy(false)
  show('form')
  post({ type: 'ended', status, data, redirectUrl })
}

/** Texts for a payment that is refused because of the state of its intention, by the reason in the response. */
const obstacles = {
  paid: [400, { msg: 'Order has already paid.' }],
  refunded: [400, { msg: 'Order has already paid.' }],
  voided: [400, { msg: 'Order has already paid.' }],
  pending: [406, { message: 'The payment was already processed.' }],
  expired: [401, { detail: 'The payment token is invalid or has expired.' }],
}

// ---- Paying: 1 the form is complete, 2 the page may refuse, 3 the provider is called

function start() {
  if (isBusy || $('columns').hidden) return
  showNotice('')
  if (!showErrors()) return
  setBusy(true)
  post({ type: 'before-payment' })
}

function answerChallenge(result) {
  setBusy(true)
  void pay(result)
}

window.addEventListener('message', (event) => {
  if (event.source !== window.parent || event.origin !== page || event.data?.channel !== channel) return
  switch (event.data.type) {
    case 'pay':
      return start()
    case 'refresh':
      if (!isBusy) void loadIntention()
      return
    case 'proceed':
      if (isBusy) void pay()
      return
    case 'abort':
      setBusy(false)
  }
})

$('form').addEventListener('submit', (event) => {
  event.preventDefault()
  start()
})
$('cancel').addEventListener('click', () => {
  if (!isBusy) post({ type: 'cancelled' })
})
$('challenge-pass').addEventListener('click', () => answerChallenge('passed'))
$('challenge-fail').addEventListener('click', () => answerChallenge('failed'))
for (const field of fields)
  $(field).addEventListener('input', () => {
    if ($(field).getAttribute('aria-invalid') === 'true') showError(field, !isFilled(readCard(), field))
    reportValidity()
  })

/** Slash and gaps are added when a field is left, so that typing is not disturbed. */
$('number').addEventListener('blur', () => {
  $('number').value = digitsOf($('number').value).replace(/(.{4})(?=.)/g, '$1 ')
})
$('expiry').addEventListener('blur', () => {
  const { expiry } = readCard()
  if (expiry !== '') $('expiry').value = expiry
})

document.documentElement.lang = language
document.documentElement.dir = query.get('dir') === 'rtl' ? 'rtl' : 'ltr'
for (const element of document.querySelectorAll('[data-text]'))
  element.textContent = text[element.dataset.text]
for (const [name, id] of [
  ['cardLabel', 'number'],
  ['holderName', 'holder'],
  ['cardNumber', 'number'],
  ['expiryDate', 'expiry'],
  ['securityCode', 'cvv'],
]) {
  const given = query.get(name)
  if (given === null) continue
  if (name === 'cardLabel') document.querySelector(`label[for=${id}]`).textContent = given
  else $(id).placeholder = given
}
if (/^#[0-9a-f]{3,8}$/i.test(query.get('primary') ?? ''))
  document.documentElement.style.setProperty('--primary', query.get('primary'))
if (/^\d{1,2}(px)?$/.test(query.get('radius') ?? ''))
  document.documentElement.style.setProperty('--radius', `${Number.parseInt(query.get('radius'), 10)}px`)
$('pay').hidden = query.get('hidePay') === '1'

new ResizeObserver(() => post({ type: 'height', height: document.body.scrollHeight })).observe(document.body)
await Promise.all([loadIntention(), showCards()])
