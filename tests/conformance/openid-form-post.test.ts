import { describeBasicProfile } from './basic-profile/profile.ts';

describeBasicProfile('form_post');
