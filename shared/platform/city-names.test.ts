import { describe, expect, it } from 'vitest'
import { cityName, isSameCity } from './city-names.ts'

describe('the name of a city', () => {
  it.each([
    ['Riyadh', 'الرياض'],
    ['Jeddah', 'جدة'],
    ['Makkah', 'مكة المكرمة'],
    ['Madinah', 'المدينة المنورة'],
    ['Medina', 'المدينة المنورة'],
    ['Dammam', 'الدمام'],
    ['Buraidah', 'بريدة'],
    ['Buraydah', 'بريدة'],
    ['Tabuk', 'تبوك'],
    ['Abha', 'أبها'],
    ['Hail', 'حائل'],
    ["Ha'il", 'حائل'],
    ['Jazan', 'جازان'],
    ['Najran', 'نجران'],
    ['Arar', 'عرعر'],
    ['Sakaka', 'سكاكا'],
    ['Yanbu', 'ينبع'],
    ['Hafar Al Batin', 'حفر الباطن'],
    ['Dhahran', 'الظهران'],
    ['Al Kharj', 'الخرج'],
    ['Rabigh', 'رابغ'],
    ['AlUla', 'العلا'],
    ['Khobar', 'الخبر'],
    ['Al-Khubar', 'الخبر'],
    ['Taif', 'الطائف'],
    ['At Taif', 'الطائف'],
    ['Khamis Mushait', 'خميس مشيط'],
    ['Jubail', 'الجبيل'],
    ['Hofuf', 'الهفوف'],
    ['Al Bahah', 'الباحة'],
    ['Mina', 'منى'],
    // Transliterations with diacritics.
    ['Riyāḍ', 'الرياض'],
    ['Aṭ Ṭāʾif', 'الطائف'],
    ['Jizán', 'جازان'],
  ])('%s is %s in Arabic', (english, arabic) => {
    expect(cityName(english, 'ar')).toBe(arabic)
  })

  it('does not depend on case, article or punctuation', () => {
    for (const spelling of ['AL KHOBAR', 'al-khobar', ' Khobar ', 'Al Khobar']) {
      expect(cityName(spelling, 'ar')).toBe('الخبر')
    }
  })

  it('distinguishes Dhahran of the east from Dhahran of the south', () => {
    expect(cityName('Dhahran Al Janub', 'ar')).toBe('ظهران الجنوب')
  })

  it('falls back to the given name', () => {
    expect(cityName('Atlantis', 'ar')).toBe('Atlantis')
    expect(cityName('', 'ar')).toBe('')
    expect(cityName('الرياض', 'ar')).toBe('الرياض')
  })

  it('stays as given in English', () => {
    expect(cityName('Al-Khubar', 'en')).toBe('Al-Khubar')
  })
})

describe('two spellings', () => {
  it.each([
    ['Riyadh', 'RIYADH'],
    ['Makkah', 'Mecca'],
    ['Al-Khobar', 'Khobar'],
    ['الرياض', 'Riyadh'],
    ['Somewhere', ' somewhere '],
  ])('%s and %s are one city', (one, other) => {
    expect(isSameCity(one, other)).toBe(true)
  })

  it.each([
    ['Riyadh', 'Jeddah'],
    ['Mina', 'Makkah'],
    ['', ''],
    ['الرياض', 'جدة'],
  ])('%s and %s are not', (one, other) => {
    expect(isSameCity(one, other)).toBe(false)
  })
})
