-- Who has this e-mail address or phone number, and who had it: the codes that went there are counted over both.
DROP INDEX auth_methods_contact;
CREATE INDEX auth_methods_contact ON auth_methods (platform_id, type, lower(nickname)) WHERE type IN ('EMAIL_OTP', 'SMS_OTP');
