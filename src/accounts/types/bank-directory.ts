// Banks by country, for forms (docs/domain/corridors.md#discoveries). Compiled by hand from the authorities' public
// registers of licensed banks, which are named here. The list is not complete: any other name is accepted too.

/** One bank of one country. */
export interface Bank {
  /** The value of `bankName` in `accountInfo`. */
  readonly bankName: string
  readonly displayName: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly currency: string
}

interface Register {
  readonly country: string
  readonly currency: string
  /** Who licenses the banks, and publishes the register. */
  readonly source: string
  /** One bank per line. After `|`, the name for display, where it differs. */
  readonly banks: string
}

const REGISTERS: readonly Register[] = [
  {
    country: 'US',
    currency: 'USD',
    source: 'Federal Deposit Insurance Corporation, BankFind',
    banks: `Bank of America
      Capital One
      Citibank|Citi
      Citizens Bank
      Fifth Third Bank
      Goldman Sachs Bank USA
      Huntington National Bank|Huntington
      JPMorgan Chase Bank|Chase
      KeyBank
      M&T Bank
      PNC Bank
      Regions Bank
      TD Bank
      Truist Bank|Truist
      U.S. Bank
      Wells Fargo Bank|Wells Fargo`,
  },
  {
    country: 'SV',
    currency: 'USD',
    source: 'Superintendencia del Sistema Financiero de El Salvador',
    banks: `Banco Agrícola
      Banco Atlántida El Salvador
      Banco Cuscatlán
      Banco Davivienda Salvadoreño|Davivienda
      Banco de América Central|BAC Credomatic
      Banco de Fomento Agropecuario
      Banco Hipotecario de El Salvador|Banco Hipotecario
      Banco Promerica El Salvador|Promerica`,
  },
  {
    country: 'NG',
    currency: 'NGN',
    source: 'Central Bank of Nigeria, list of deposit money banks',
    banks: `Access Bank
      Citibank Nigeria
      Ecobank Nigeria
      Fidelity Bank
      First Bank of Nigeria|FirstBank
      First City Monument Bank|FCMB
      Globus Bank
      Guaranty Trust Bank|GTBank
      Keystone Bank
      Polaris Bank
      Providus Bank
      Stanbic IBTC Bank
      Standard Chartered Bank Nigeria
      Sterling Bank
      SunTrust Bank Nigeria
      Titan Trust Bank
      Union Bank of Nigeria|Union Bank
      United Bank for Africa|UBA
      Unity Bank
      Wema Bank
      Zenith Bank`,
  },
  {
    country: 'ZA',
    currency: 'ZAR',
    source: 'South African Reserve Bank, Prudential Authority',
    banks: `Absa Bank|Absa
      African Bank
      Bidvest Bank
      Capitec Bank|Capitec
      Discovery Bank
      FirstRand Bank|First National Bank (FNB)
      Investec Bank
      Nedbank
      Sasfin Bank
      Standard Bank of South Africa|Standard Bank
      TymeBank`,
  },
  {
    country: 'PH',
    currency: 'PHP',
    source: 'Bangko Sentral ng Pilipinas, directory of banks',
    banks: `Asia United Bank
      BDO Unibank|BDO
      Bank of the Philippine Islands|BPI
      China Banking Corporation|Chinabank
      Development Bank of the Philippines
      East West Banking Corporation|EastWest
      Land Bank of the Philippines|Landbank
      Metropolitan Bank and Trust Company|Metrobank
      Philippine National Bank|PNB
      Rizal Commercial Banking Corporation|RCBC
      Security Bank Corporation|Security Bank
      Union Bank of the Philippines|UnionBank`,
  },
  {
    country: 'HK',
    currency: 'HKD',
    source: 'Hong Kong Monetary Authority, register of authorized institutions',
    banks: `Bank of China (Hong Kong)
      Bank of East Asia
      Citibank (Hong Kong)
      DBS Bank (Hong Kong)
      Dah Sing Bank
      Hang Seng Bank
      Hongkong and Shanghai Banking Corporation|HSBC
      Nanyang Commercial Bank
      OCBC Bank (Hong Kong)
      Shanghai Commercial Bank
      Standard Chartered Bank (Hong Kong)
      ZA Bank`,
  },
  {
    country: 'MY',
    currency: 'MYR',
    source: 'Bank Negara Malaysia, list of licensed banks',
    banks: `Affin Bank
      Alliance Bank Malaysia
      AmBank
      Bank Islam Malaysia
      CIMB Bank
      Hong Leong Bank
      HSBC Bank Malaysia
      Malayan Banking|Maybank
      OCBC Bank (Malaysia)
      Public Bank
      RHB Bank
      Standard Chartered Bank Malaysia
      United Overseas Bank (Malaysia)|UOB Malaysia`,
  },
  {
    country: 'TH',
    currency: 'THB',
    source: 'Bank of Thailand, list of commercial banks',
    banks: `Bangkok Bank
      Bank of Ayudhya|Krungsri
      CIMB Thai Bank
      Government Savings Bank
      Kasikornbank|KBank
      Kiatnakin Phatra Bank
      Krungthai Bank
      Land and Houses Bank
      Siam Commercial Bank|SCB
      TMBThanachart Bank|ttb
      Tisco Bank
      United Overseas Bank (Thai)|UOB Thailand`,
  },
  {
    country: 'VN',
    currency: 'VND',
    source: 'State Bank of Vietnam, list of commercial banks',
    banks: `Asia Commercial Bank|ACB
      Bank for Agriculture and Rural Development|Agribank
      Bank for Foreign Trade of Vietnam|Vietcombank
      Bank for Industry and Trade|VietinBank
      Bank for Investment and Development of Vietnam|BIDV
      Ho Chi Minh City Development Bank|HDBank
      Military Bank|MB Bank
      Saigon Thuong Tin Bank|Sacombank
      Technological and Commercial Bank|Techcombank
      Tien Phong Bank|TPBank
      Vietnam International Bank|VIB
      Vietnam Prosperity Bank|VPBank`,
  },
  {
    country: 'ID',
    currency: 'IDR',
    source: 'Otoritas Jasa Keuangan, directory of commercial banks',
    banks: `Bank Central Asia|BCA
      Bank CIMB Niaga|CIMB Niaga
      Bank Danamon Indonesia|Danamon
      Bank Jago
      Bank Mandiri
      Bank Maybank Indonesia
      Bank Negara Indonesia|BNI
      Bank OCBC NISP
      Bank Pan Indonesia|Panin Bank
      Bank Permata|PermataBank
      Bank Rakyat Indonesia|BRI
      Bank Syariah Indonesia|BSI
      Bank Tabungan Negara|BTN`,
  },
  {
    country: 'SG',
    currency: 'SGD',
    source: 'Monetary Authority of Singapore, financial institutions directory',
    banks: `Bank of China (Singapore)
      Citibank Singapore
      DBS Bank|DBS/POSB
      HSBC Bank (Singapore)
      Maybank Singapore
      Oversea-Chinese Banking Corporation|OCBC
      Standard Chartered Bank (Singapore)
      United Overseas Bank|UOB`,
  },
  {
    country: 'IN',
    currency: 'INR',
    source: 'Reserve Bank of India, list of scheduled commercial banks',
    banks: `Axis Bank
      Bank of Baroda
      Bank of India
      Canara Bank
      Central Bank of India
      Federal Bank
      HDFC Bank
      ICICI Bank
      IDFC FIRST Bank
      Indian Bank
      IndusInd Bank
      Kotak Mahindra Bank
      Punjab National Bank|PNB
      State Bank of India|SBI
      Union Bank of India
      YES Bank`,
  },
  {
    country: 'CO',
    currency: 'COP',
    source: 'Superintendencia Financiera de Colombia',
    banks: `Banco Agrario de Colombia
      Banco AV Villas
      Banco Caja Social
      Banco Davivienda|Davivienda
      Banco de Bogotá
      Banco de Occidente
      Banco Falabella
      Banco GNB Sudameris
      Banco Popular
      Bancolombia
      BBVA Colombia
      Citibank Colombia
      Itaú Colombia|Itaú
      Scotiabank Colpatria`,
  },
  {
    country: 'CN',
    currency: 'CNY',
    source: 'National Financial Regulatory Administration of China',
    banks: `Agricultural Bank of China|ABC
      Bank of China
      Bank of Communications
      China CITIC Bank
      China Construction Bank|CCB
      China Everbright Bank
      China Merchants Bank
      China Minsheng Bank
      Industrial Bank
      Industrial and Commercial Bank of China|ICBC
      Ping An Bank
      Postal Savings Bank of China
      Shanghai Pudong Development Bank|SPD Bank`,
  },
  {
    country: 'GH',
    currency: 'GHS',
    source: 'Bank of Ghana, register of licensed banks',
    banks: `Absa Bank Ghana
      Access Bank Ghana
      Agricultural Development Bank
      CalBank
      Consolidated Bank Ghana
      Ecobank Ghana
      Fidelity Bank Ghana
      First Atlantic Bank
      GCB Bank
      Guaranty Trust Bank (Ghana)|GTBank Ghana
      National Investment Bank
      Prudential Bank
      Republic Bank (Ghana)
      Societe Generale Ghana
      Stanbic Bank Ghana
      Standard Chartered Bank Ghana
      United Bank for Africa (Ghana)|UBA Ghana
      Zenith Bank (Ghana)`,
  },
  {
    country: 'BD',
    currency: 'BDT',
    source: 'Bangladesh Bank, list of scheduled banks',
    banks: `Agrani Bank
      BRAC Bank
      City Bank
      Dutch-Bangla Bank
      Eastern Bank
      Islami Bank Bangladesh
      Janata Bank
      Mutual Trust Bank
      Prime Bank
      Pubali Bank
      Rupali Bank
      Sonali Bank
      Southeast Bank
      Standard Chartered Bangladesh
      United Commercial Bank`,
  },
  {
    country: 'EG',
    currency: 'EGP',
    source: 'Central Bank of Egypt, list of registered banks',
    banks: `Abu Dhabi Islamic Bank Egypt
      Arab African International Bank
      Bank of Alexandria|AlexBank
      Banque du Caire
      Banque Misr
      Commercial International Bank|CIB
      Credit Agricole Egypt
      Faisal Islamic Bank of Egypt
      HSBC Bank Egypt
      National Bank of Egypt|NBE
      QNB Egypt`,
  },
  {
    country: 'PK',
    currency: 'PKR',
    source: 'State Bank of Pakistan, list of scheduled banks',
    banks: `Allied Bank
      Askari Bank
      Bank AL Habib
      Bank Alfalah
      Faysal Bank
      Habib Bank|HBL
      Habib Metropolitan Bank
      JS Bank
      MCB Bank
      Meezan Bank
      National Bank of Pakistan
      Soneri Bank
      Standard Chartered Bank (Pakistan)
      United Bank|UBL`,
  },
  {
    country: 'GT',
    currency: 'GTQ',
    source: 'Superintendencia de Bancos de Guatemala',
    banks: `Banco Agromercantil de Guatemala|BAM
      Banco de América Central Guatemala|BAC Credomatic
      Banco de Antigua
      Banco de Desarrollo Rural|Banrural
      Banco Ficohsa Guatemala
      Banco G&T Continental
      Banco Industrial
      Banco Internacional
      Banco Promerica Guatemala|Promerica
      Banco de los Trabajadores|Bantrab
      El Crédito Hipotecario Nacional de Guatemala|CHN`,
  },
  {
    country: 'JM',
    currency: 'JMD',
    source: 'Bank of Jamaica, supervised deposit-taking institutions',
    banks: `Bank of Nova Scotia Jamaica|Scotiabank Jamaica
      CIBC Caribbean Bank (Jamaica)
      Citibank Jamaica
      First Global Bank
      JMMB Bank (Jamaica)
      JN Bank
      National Commercial Bank Jamaica|NCB
      Sagicor Bank Jamaica`,
  },
]

/** Every bank, by country in the order of the registers, then by name. */
export const BANK_DIRECTORY: readonly Bank[] = REGISTERS.flatMap(({ country, currency, banks }) =>
  banks.split('\n').map((line) => {
    const [bankName = '', displayName = bankName] = line.trim().split('|')
    return { bankName, displayName, country, currency }
  }),
)

/** The source of each country's banks. */
export const BANK_SOURCES: ReadonlyMap<string, string> = new Map(
  REGISTERS.map(({ country, source }) => [country, source]),
)

/** The banks for the currency and the country. An absent argument matches any. */
export const banksOf = (currency?: string | null, country?: string | null): readonly Bank[] =>
  BANK_DIRECTORY.filter((bank) => (!currency || bank.currency === currency) && (!country || bank.country === country))
